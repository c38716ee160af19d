// A record that was dropped onto another page, on its way to the page of replays.

let waiting: File | undefined;

export const dropped = {
  keep: (file: File) => (waiting = file),
  take(): File | undefined {
    const file = waiting;
    waiting = undefined;
    return file;
  },
};
