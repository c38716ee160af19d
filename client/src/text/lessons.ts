// The texts of the lessons' pages; what the director says comes from the server.

const en = {
  lessons: "Learn to play",
  "lessons, explained": "Short lessons at a prepared table. Wrong turns cost nothing: the director explains.",
  "steps and time": "{n} decisions · about {seconds} seconds",
  begin: "Begin",
  resume: "Resume at decision {n} of {all}",
  "do again": "Do it again",
  done: "done",
  director: "The director",
  "step n of": "{n} of {all}",
  rolling: "Quiet on the set, we are rolling…",
  "start over": "Start over",
  leave: "Leave",
  "leave, explained": "You can resume here later.",
  "lesson over": "Lesson complete",
  learned: "What you have learned",
  "next lesson": "Next lesson",
  "all lessons": "All lessons",
  "play now": "Play a real game",
  "try again": "Try again",
};

const de: typeof en = {
  lessons: "Spielen lernen",
  "lessons, explained":
    "Kurze Lektionen an einem vorbereiteten Tisch. Falsch machen kannst du nichts: Die Regie erklärt alles.",
  "steps and time": "{n} Entscheidungen · etwa {seconds} Sekunden",
  begin: "Los geht’s",
  resume: "Weiter bei Entscheidung {n} von {all}",
  "do again": "Noch einmal",
  done: "geschafft",
  director: "Die Regie",
  "step n of": "{n} von {all}",
  rolling: "Ruhe bitte, Kamera läuft …",
  "start over": "Von vorn",
  leave: "Aufhören",
  "leave, explained": "Du kannst später hier weitermachen.",
  "lesson over": "Lektion geschafft",
  learned: "Das hast du gelernt",
  "next lesson": "Nächste Lektion",
  "all lessons": "Alle Lektionen",
  "play now": "Richtig spielen",
  "try again": "Noch mal versuchen",
};

export const lessonTexts = { en, de };
