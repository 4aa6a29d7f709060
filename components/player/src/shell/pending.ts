/** What was done to the settings and is not in the confirmed link yet, in order.
 *
 *  A late answer must never undo what somebody has done since. One number sees to that: everything that is done counts
 *  it on, it goes with each question, and comes back with the answer. An answer to an older question than the last is
 *  passed over, and a control that was touched after its question was asked is not written to. */

export type Edit = [kind: string, name: string, value: unknown];
export type Question = { version: number; edits: Edit[] };
type Done = { edit: Edit; version: number; typing: boolean };

export class Pending {
  private version = 0;
  /** The version of the last question. */
  private asked = 0;
  private done: Done[] = [];

  /** Something was done; of changes of one control that follow each other the last counts. */
  note(edit: Edit, typing = false): void {
    this.version += 1;
    const last = this.done.at(-1);
    if (last && isOf(last, edit[0], edit[1])) this.done.pop();
    this.done.push({ edit, version: this.version, typing });
  }

  /** Whether something was done to a control that is not confirmed; or only what is still being typed there. */
  has(kind: string, name: string, typing = false): boolean {
    return this.done.some((done) => isOf(done, kind, name) && (done.typing || !typing));
  }

  /** The next question, about all that was done. */
  next(): Question {
    this.version += 1;
    this.asked = this.version;
    return { version: this.version, edits: this.edits };
  }

  /** All that was done, in order. */
  get edits(): Edit[] {
    return this.done.map(({ edit }) => edit);
  }

  /** The hand lets go: what was typed is meant. */
  finish(): void {
    for (const done of this.done) done.typing = false;
  }

  /** Whether an answer is the one that is waited for. */
  isCurrent(answer: { version: number }): boolean {
    return answer.version === this.asked;
  }

  /** Whether the last answer may write to the controls of a kind: nobody has touched them since it was asked for. */
  mayShow(kind: string): boolean {
    return !this.done.some(({ edit, version }) => edit[0] === kind && version > this.asked);
  }

  /** The link holds what was asked. */
  confirm(): void {
    this.done = this.done.filter(({ version }) => version > this.asked);
  }

  /** Another link: what was done to the last one is not meant for it. */
  forget(): void {
    this.done = [];
  }
}

const isOf = ({ edit }: Done, kind: string, name: string): boolean => edit[0] === kind && edit[1] === name;
