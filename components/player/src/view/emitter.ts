/** Who is told what, by name and type. */

export class Emitter<Events extends object> {
  private readonly listeners = new Map<keyof Events, ((detail: never) => void)[]>();

  /** Hear of something from now on; call what is returned, or abort the signal, to hear no more. */
  on<Name extends keyof Events>(name: Name, listener: (detail: Events[Name]) => void, signal?: AbortSignal): () => void {
    const list = this.listeners.get(name) ?? [];
    this.listeners.set(name, list);
    list.push(listener);
    const end = (): void => {
      list.splice(list.indexOf(listener), 1);
    };
    signal?.addEventListener("abort", end, { once: true });
    return end;
  }

  /** One who throws does not keep the others from hearing. */
  emit<Name extends keyof Events>(name: Name, detail: Events[Name]): void {
    for (const listener of [...(this.listeners.get(name) ?? [])]) guarded(() => (listener as (detail: Events[Name]) => void)(detail));
  }
}

/** Do something whose failure must not stop what comes after it; it is reported all the same. False if it failed. */
export function guarded(act: () => void): boolean {
  try {
    act();
    return true;
  } catch (error) {
    reportError(error);
    return false;
  }
}

export function element<Tag extends keyof HTMLElementTagNameMap>(tag: Tag, name = "", text?: string): HTMLElementTagNameMap[Tag] {
  const made = document.createElement(tag);
  if (name) made.className = name;
  if (text !== undefined) made.textContent = text;
  return made;
}

/** Change a text only where it differs: screen readers read what is written anew. */
export function write(place: Element | null, text: string): void {
  if (place && place.textContent !== text) place.textContent = text;
}
