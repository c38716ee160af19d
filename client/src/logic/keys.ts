// Keyboard shortcuts of a page.

/** Whether a key is for the page: nobody is typing, no dialog is open, and it is not a browser shortcut. */
export function isForThePage(event: KeyboardEvent): boolean {
  const target = event.target as HTMLElement;
  const isShortcut = event.ctrlKey || event.metaKey || event.altKey;
  return !isShortcut && !/^(INPUT|SELECT|TEXTAREA)$/.test(target.tagName) && !document.querySelector("dialog[open]");
}
