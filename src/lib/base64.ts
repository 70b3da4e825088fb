/** Base64 of bytes, for files that consist of text. */

/** A multiple of three, so that only the last slice can be padded, and below the limit for arguments. */
const sliceBytes = 3 * 8192;

export function encodeBase64(bytes: Uint8Array): string {
  let text = '';
  for (let offset = 0; offset < bytes.length; offset += sliceBytes)
    text += btoa(String.fromCharCode(...bytes.subarray(offset, offset + sliceBytes)));
  return text;
}

/** Throws if the text is not base64. */
export function decodeBase64(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
}
