/** What was done to the settings and is not in the confirmed link yet, in order.
 *
 *  A late answer must never undo what somebody has done since. Two rules see to that, for every control: an answer to
 *  an older question than the last is passed over, and a control that holds a change back (a drawing that goes on)
 *  is not written to by an answer to a question that did not have it. */

export type Edit = [kind: string, name: string, value: unknown];
export type Question = { serial: number; edits: Edit[] };

export class Pending {
  serial = 0;
  private done: Edit[] = [];
  private held = new Map<string, Edit>();

  /** A change that goes with the next question; of one control the last counts. */
  hold(edit: Edit): void {
    this.held.set(`${edit[0]} ${edit[1]}`, edit);
  }

  get isHolding(): boolean {
    return this.held.size > 0;
  }

  /** The next question: all that was done, what was held back, and what has just been done. */
  next(edits: Edit[] = [], drafts: Edit[] = []): Question {
    for (const edit of [...this.held.values(), ...edits]) this.add(edit);
    this.held.clear();
    this.serial += 1;
    return { serial: this.serial, edits: [...this.done, ...drafts] };
  }

  /** Of changes of one control that follow each other the last counts. */
  private add(edit: Edit): void {
    const last = this.done.at(-1);
    if (last && last[0] === edit[0] && last[1] === edit[1]) this.done.pop();
    this.done.push(edit);
  }

  /** Whether an answer is the one that is waited for. */
  isCurrent(answer: { serial: number }): boolean {
    return answer.serial === this.serial;
  }

  /** Whether an answer may write to a control: none of its kind holds a change back. */
  mayShow(kind: string): boolean {
    return ![...this.held.values()].some((edit) => edit[0] === kind);
  }

  /** The link holds what was asked. */
  confirm(): void {
    this.done = [];
  }

  /** Another link: what was done to the last one is not meant for it. */
  forget(): void {
    this.done = [];
    this.held.clear();
  }
}
