/** Pictures that say what they show: the link that draws them again, and what to cite, in their metadata. */

const KEYWORD = "Description";
/** Signature and header of a PNG file: further chunks may follow. */
const HEAD = 33;

function checksum(bytes: Uint8Array): number {
  let sum = -1;
  for (const byte of bytes) {
    sum ^= byte;
    for (let bit = 0; bit < 8; bit++) sum = (sum >>> 1) ^ (sum & 1 ? 0xedb88320 : 0);
  }
  return ~sum >>> 0;
}

/** A text chunk of PNG, in UTF-8 (iTXt). */
function textChunk(text: string): Uint8Array {
  const body = new TextEncoder().encode(`iTXt${KEYWORD}\0\0\0\0\0${text}`);
  const chunk = new Uint8Array(body.length + 8);
  const view = new DataView(chunk.buffer);
  view.setUint32(0, body.length - 4);
  chunk.set(body, 4);
  view.setUint32(body.length + 4, checksum(body));
  return chunk;
}

const PNG = "data:image/png;base64,";

/** The same picture, as a data address, with a description inside. */
export function described(picture: string, text: string): string {
  if (picture.startsWith(PNG)) {
    const binary = atob(picture.slice(PNG.length));
    const told = Array.from(textChunk(text), (byte) => String.fromCharCode(byte)).join("");
    return PNG + btoa(binary.slice(0, HEAD) + told + binary.slice(HEAD));
  }
  const escaped = text.replace(/&/g, "&amp;").replace(/</g, "&lt;");
  return picture.replace("%3E", `%3E${encodeURIComponent(`<desc>${escaped}</desc>`)}`);
}
