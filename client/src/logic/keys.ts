// Keys that mean something on a page as a whole.

/** Whether a key is for the page: nobody is typing, no dialog is open, and it is no shortcut of the browser. */
export function isForThePage(event: KeyboardEvent): boolean {
  const target = event.target as HTMLElement;
  const isShortcut = event.ctrlKey || event.metaKey || event.altKey;
  return !isShortcut && !/^(INPUT|SELECT|TEXTAREA)$/.test(target.tagName) && !document.querySelector("dialog[open]");
}
