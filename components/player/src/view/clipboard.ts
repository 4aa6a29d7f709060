/** To the clipboard: it needs https or this machine; on a plain http link in a lecture hall the old way still works. */

/** Whether it was done; if not, the text is left marked in its area, where it has one. */
export async function copied(text: string, area?: HTMLTextAreaElement): Promise<boolean> {
  if (navigator.clipboard && isSecureContext)
    try {
      await navigator.clipboard.writeText(text);
      return true;
    } catch {
      /* not allowed: the old way */
    }
  const place = area ?? Object.assign(document.createElement("textarea"), { value: text, className: "visually-hidden" });
  if (!area) (document.querySelector("dialog[open]") ?? document.body).append(place);
  place.select();
  const done = document.execCommand("copy");
  if (!area) place.remove();
  return done;
}
