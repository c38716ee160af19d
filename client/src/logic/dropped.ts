// A record that was dropped onto another page, for the replay page to open.

let waiting: File | undefined;

export const dropped = {
  keep: (file: File) => (waiting = file),
  take(): File | undefined {
    const file = waiting;
    waiting = undefined;
    return file;
  },
};
