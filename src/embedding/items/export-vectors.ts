/** Exports vectors as files in pieces, so that a file does not have to fit into one string. */
import { formatCsvField, escapeCsvFormula } from '../../lib/text/safe-text.ts';

export interface ExportedVector {
  /** Position of the text, from 0. */
  id: number;
  text: string;
  label?: string;
  /** The vector as received, not normalised. */
  vector: Float32Array;
}

/** Nine significant digits are the fewest that always restore the same float32. */
function formatFloat(value: number): string {
  return String(Number(value.toPrecision(9)));
}

function formatFloats(vector: Float32Array, separator: string): string {
  const parts: string[] = [];
  for (const value of vector) parts.push(formatFloat(value));
  return parts.join(separator);
}

/** §2.7: a gateway response that covers all texts. */
export function* formatSpecJson(
  vectors: Iterable<ExportedVector>,
  info: { model: string; tokens?: number },
): Generator<string> {
  yield '{"object":"list","data":[';
  let index = 0;
  for (const { vector } of vectors) {
    yield `${index > 0 ? ',' : ''}\n{"object":"embedding","index":${index},"embedding":[${formatFloats(vector, ',')}]}`;
    index += 1;
  }
  const usage =
    info.tokens === undefined
      ? ''
      : `,"usage":{"prompt_tokens":${info.tokens},"total_tokens":${info.tokens}}`;
  yield `\n],"model":${JSON.stringify(info.model)}${usage}}\n`;
}

/** One object per line: id, text, label, embedding. */
export function* formatJsonLines(vectors: Iterable<ExportedVector>): Generator<string> {
  for (const { id, text, label, vector } of vectors) {
    const itemJson = JSON.stringify(label === undefined ? { id, text } : { id, text, label });
    yield `${itemJson.slice(0, -1)},"embedding":[${formatFloats(vector, ',')}]}\n`;
  }
}

/** RFC 4180: id, text, label, then one column per dimension. */
export function* formatVectorCsv(vectors: Iterable<ExportedVector>, dimensions: number): Generator<string> {
  const columns = Array.from({ length: dimensions }, (_, index) => `d${index}`);
  yield `id,text,label,${columns.join(',')}\r\n`;
  for (const { id, text, label = '', vector } of vectors) {
    yield `${id},${formatCsvField(escapeCsvFormula(text))},${formatCsvField(escapeCsvFormula(label))},${formatFloats(vector, ',')}\r\n`;
  }
}

/** NumPy format 1.0: float32, little-endian, row by row. Can be read with `numpy.load`. */
export function* encodeNpy(
  vectors: Iterable<ExportedVector>,
  rowCount: number,
  dimensions: number,
): Generator<Uint8Array<ArrayBuffer>> {
  const shape = `{'descr': '<f4', 'fortran_order': False, 'shape': (${rowCount}, ${dimensions}), }`;
  // Magic, version and length take 10 bytes; the whole header is a multiple of 64 bytes and ends with a line break.
  const paddedShape = shape.padEnd(Math.ceil((shape.length + 11) / 64) * 64 - 11) + '\n';
  const header = new Uint8Array(10 + paddedShape.length);
  header.set([0x93, 0x4e, 0x55, 0x4d, 0x50, 0x59, 1, 0, paddedShape.length & 0xff, paddedShape.length >> 8]);
  header.set(new TextEncoder().encode(paddedShape), 10);
  yield header;
  for (const { vector } of vectors) yield new Uint8Array(Float32Array.from(vector).buffer);
}

/** Describes the rows of the npy file: id, text and label, one per line. */
export function* formatIdLines(vectors: Iterable<ExportedVector>): Generator<string> {
  for (const { id, text, label } of vectors)
    yield `${JSON.stringify({ id, text, ...(label === undefined ? {} : { label }) })}\n`;
}
