// Answers that come late: the one to the latest request counts, in whatever order they arrive.

export class Latest {
  private begun = 0;

  /** Begin a request; what is returned says whether it is still the latest. */
  begin(): () => boolean {
    const number = ++this.begun;
    return () => number === this.begun;
  }
}
