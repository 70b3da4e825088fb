/** Reads the headers of documents and sounds, and reports only what these contain. */
import type { Json } from '../../lib/json.ts';
import type { MediaPart } from './prompt-text.ts';

export type FilePart = Exclude<MediaPart, { type: 'image_url' }>;

/** Rows that describe a file, by name. */
type FileInfo = Record<string, string>;

/** Reads what the first bytes of a document or sound tell. The request has been validated, so its data is base64. */
export function readFileInfo(part: FilePart): FileInfo {
  const source = part.type === 'file' ? part.file.file_data : part.input_audio.data;
  const bytes = Uint8Array.from(atob(source.slice(source.indexOf(',') + 1)), (char) => char.charCodeAt(0));
  const size = `${bytes.length.toLocaleString('en-US')} bytes`;
  if (part.type === 'input_audio') {
    const format = part.input_audio.format;
    return { Format: `${format}, as declared`, Size: size, ...readWavHeader(bytes) };
  }
  const [, declaredType = ''] = /^data:([^;,]*)/.exec(source) ?? [];
  const [, pdfVersion] = /^%PDF-(\d\.\d)/.exec(String.fromCharCode(...bytes.subarray(0, 8))) ?? [];
  return {
    Name: part.file.filename,
    Format: pdfVersion === undefined ? `${declaredType}, as declared` : `PDF ${pdfVersion}`,
    Size: size,
  };
}

function readWavHeader(bytes: Uint8Array): FileInfo {
  const leadingText = String.fromCharCode(...bytes.subarray(0, 44));
  if (!/^RIFF[^]{4}WAVEfmt /.test(leadingText) || bytes.length < 44) return {};
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const bytesPerSecond = view.getUint32(28, true);
  const seconds = bytesPerSecond === 0 ? 0 : (bytes.length - 44) / bytesPerSecond;
  return {
    Channels: String(view.getUint16(22, true)),
    'Sample rate': `${view.getUint32(24, true).toLocaleString('en-US')} Hz`,
    Duration: `${seconds.toFixed(1)} s`,
  };
}

export function formatFileInfo(info: FileInfo): string {
  const rows = Object.entries(info).map(
    ([name, value]) => `| ${name} | ${value.replaceAll(/[|\\`<>\n]/g, ' ')} |`,
  );
  return ['| Header | Value |', '| --- | --- |', ...rows].join('\n');
}

export function toFileValue(info: FileInfo): Json {
  return Object.fromEntries(Object.entries(info).map(([name, value]) => [name.toLowerCase(), value]));
}
