// Late answers: only the answer to the latest request counts, in any order of arrival.

export class Latest {
  private begun = 0;

  /** Begin a request; the returned function says whether it is still the latest. */
  begin(): () => boolean {
    const number = ++this.begun;
    return () => number === this.begun;
  }
}
