/** One `embedding` field of an answer (§2.7) as a vector. Trusts nothing: neither type, nor width, nor byte order. */

/** Why a field is not a vector that could be used. */
export type VectorFault =
  | 'unreadable'
  | 'nested'
  | 'empty'
  | 'not-a-number'
  | 'zero'
  | 'half-precision'
  | 'byte-order'
  | 'packed-bits';

/** Quantised numbers: 8-bit integers, or 8 signs in each integer. */
export type ElementType = 'int8' | 'uint8' | 'bits';

type VectorReading =
  | {
      ok: true;
      vector: Float32Array<ArrayBuffer>;
      /** How it came: a JSON array, or base64 of numbers of this width. */
      form: 'array' | 'float32' | 'float64' | 'bytes';
      /** Set where the numbers are 8-bit integers. */
      integers?: 'int8' | 'uint8';
      /** Length of the vector as received. */
      norm: number;
    }
  | { ok: false; fault: VectorFault; form: 'array' | 'base64' | 'other' };

/** Over these a number is not a coordinate of an embedding but bits read the wrong way; so is a whole vector below. */
const largestCoordinate = 1e6;
const smallestNorm = 1e-6;

/** Shorter lists of integers say nothing about how a model quantises. */
const minIntegers = 8;
/** Other bytes rarely look like so many valid 32-bit numbers by chance. */
const minSoundNumbers = 16;

/**
 * The vector of a field whatever its form. `expected`: how many numbers it should have, where that is known; it only
 * helps to tell widths apart, a vector of another length is read as well. `requested`: the element type that the
 * request names; a server may ignore it.
 */
export function readVector(value: unknown, expected?: number, requested?: ElementType): VectorReading {
  if (typeof value === 'string') return readBase64(value, expected, requested);
  if (Array.isArray(value)) return readArray(value, expected, requested);
  return { ok: false, fault: 'unreadable', form: 'other' };
}

function readArray(
  value: readonly unknown[],
  expected: number | undefined,
  requested: ElementType | undefined,
): VectorReading {
  if (value.length === 0) return { ok: false, fault: 'empty', form: 'array' };
  if (value.every((item) => Array.isArray(item))) return { ok: false, fault: 'nested', form: 'array' };
  const vector = new Float32Array(value.length);
  for (let index = 0; index < vector.length; index += 1) {
    const item = value[index];
    // JSON has no NaN: servers that have one write null, or the word.
    if (item === null || (typeof item === 'string' && /^[+-]?(?:nan|inf(?:inity)?)$/i.test(item)))
      return { ok: false, fault: 'not-a-number', form: 'array' };
    if (typeof item !== 'number') return { ok: false, fault: 'unreadable', form: 'array' };
    vector[index] = item;
  }
  const norm = normOf(vector);
  if (!Number.isFinite(norm)) return { ok: false, fault: 'not-a-number', form: 'array' };
  if (norm === 0) return { ok: false, fault: 'zero', form: 'array' };
  const integers = detectIntegers(vector, expected, requested);
  if (integers === 'bits') return { ok: false, fault: 'packed-bits', form: 'array' };
  return { ok: true, vector, form: 'array', norm, ...(integers ? { integers } : {}) };
}

/** Detects how a list is quantised; undefined for ordinary coordinates. */
function detectIntegers(
  vector: Float32Array,
  expected: number | undefined,
  requested: ElementType | undefined,
): ElementType | undefined {
  let [lowest, highest] = [0, 0];
  for (const item of vector) {
    if (!Number.isInteger(item)) return undefined;
    if (item < lowest) lowest = item;
    if (item > highest) highest = item;
  }
  // Signs that are not packed are coordinates.
  if (lowest < -128 || highest > 255 || (lowest < 0 && highest > 127)) return undefined;
  if (lowest >= -1 && highest <= 1) return undefined;
  if ((requested ?? detectPackedBits(vector.length, expected)) === 'bits') return 'bits';
  if (requested === undefined && vector.length < minIntegers) return undefined;
  return highest > 127 || (requested === 'uint8' && lowest >= 0) ? 'uint8' : 'int8';
}

/** Detects packed bits by an eighth of the expected length: 8 signs in each number. */
function detectPackedBits(length: number, expected: number | undefined): 'bits' | undefined {
  return expected === length * 8 ? 'bits' : undefined;
}

function readBase64(
  text: string,
  expected: number | undefined,
  requested: ElementType | undefined,
): VectorReading {
  const bad = (fault: VectorFault): VectorReading => ({ ok: false, fault, form: 'base64' });
  const bytes = bytesOfBase64(text);
  if (!bytes) return bad('unreadable');
  if (bytes.length === 0) return bad('empty');
  const elements = detectElementType(bytes, expected, requested);
  if (elements === 'bits') return bad('packed-bits');
  if (elements !== undefined) {
    const vector = Float32Array.from(elements === 'uint8' ? bytes : new Int8Array(bytes.buffer));
    const norm = normOf(vector);
    return norm === 0 ? bad('zero') : { ok: true, vector, form: 'bytes', integers: elements, norm };
  }
  // bfloat16 read as float32 is every second number and looks sound: only its length tells.
  if (expected !== undefined && bytes.length === expected * 2 && isHalf(bytes)) return bad('half-precision');
  if (bytes.length % 4 === 0) {
    // Little-endian, as every machine that runs a browser is.
    const vector = new Float32Array(bytes.buffer);
    const norm = normOf(vector);
    if (isSound(vector, norm)) return { ok: true, vector, form: 'float32', norm };
    const wide = bytes.length % 8 === 0 ? Float32Array.from(new Float64Array(bytes.buffer)) : undefined;
    const wideNorm = wide ? normOf(wide) : 0;
    if (wide && isSound(wide, wideNorm)) return { ok: true, vector: wide, form: 'float64', norm: wideNorm };
    if (isHalf(bytes)) return bad('half-precision');
    if (vector.every((item) => item === 0)) return bad('zero');
    const turned = withTurnedBytes(bytes);
    if (isSound(turned, normOf(turned))) return bad('byte-order');
    return bad('not-a-number');
  }
  return bad(bytes.length % 2 === 0 && isHalf(bytes) ? 'half-precision' : 'unreadable');
}

/** Detects how bytes are quantised: as requested, else by the expected length; undefined for wider numbers. */
function detectElementType(
  bytes: Uint8Array<ArrayBuffer>,
  expected: number | undefined,
  requested: ElementType | undefined,
): ElementType | undefined {
  const byLength =
    detectPackedBits(bytes.length, expected) ?? (bytes.length === expected ? 'int8' : undefined);
  const elements = requested ?? byLength;
  if (elements === undefined || (expected !== undefined && widths.has(bytes.length / expected)))
    return undefined;
  // A server that ignores the requested type sends floats.
  if (bytes.length % 4 !== 0) return elements;
  const floats = new Float32Array(bytes.buffer);
  const norm = normOf(floats);
  const isCoincidence = floats.length < minSoundNumbers && Math.abs(norm - 1) > 0.05;
  return isSound(floats, norm) && !isCoincidence ? undefined : elements;
}

/** Bytes per number of wider types. */
const widths: ReadonlySet<number> = new Set([2, 4, 8]);

/** Standard base64, with or without padding; undefined where it is none. */
function bytesOfBase64(text: string): Uint8Array<ArrayBuffer> | undefined {
  const unpadded = text.endsWith('==') ? text.length - 2 : text.endsWith('=') ? text.length - 1 : text.length;
  const bytes = new Uint8Array(Math.floor((unpadded * 3) / 4));
  // Baseline since 2025-09: five times faster than what follows.
  if (hasSetFromBase64(bytes)) {
    try {
      return bytes.setFromBase64(text).written === bytes.length ? bytes : undefined;
    } catch {
      return undefined;
    }
  }
  let binary: string;
  try {
    binary = atob(text);
  } catch {
    return undefined;
  }
  if (binary.length !== bytes.length) return undefined;
  for (let index = 0; index < bytes.length; index += 1) bytes[index] = binary.charCodeAt(index);
  return bytes;
}

interface FromBase64 {
  setFromBase64: (text: string) => { read: number; written: number };
}

function hasSetFromBase64(bytes: object): bytes is FromBase64 {
  return 'setFromBase64' in bytes && typeof bytes.setFromBase64 === 'function';
}

/** The Euclidean length, summed in double precision; not finite where a number is not. */
function normOf(vector: Float32Array): number {
  let first = 0;
  let second = 0;
  let third = 0;
  let fourth = 0;
  let index = 0;
  // Four sums: in one, each addition waits for the one before.
  for (; index + 3 < vector.length; index += 4) {
    first += squareAt(vector, index);
    second += squareAt(vector, index + 1);
    third += squareAt(vector, index + 2);
    fourth += squareAt(vector, index + 3);
  }
  for (; index < vector.length; index += 1) first += squareAt(vector, index);
  return Math.sqrt(first + second + third + fourth);
}

function squareAt(vector: Float32Array, index: number): number {
  const item = vector[index] ?? 0;
  return item * item;
}

function isSound(vector: Float32Array, norm: number): boolean {
  if (!Number.isFinite(norm) || norm < smallestNorm) return false;
  // No single coordinate is larger than the whole: mostly there is no need to look at each.
  return norm <= largestCoordinate || vector.every((item) => Math.abs(item) <= largestCoordinate);
}

/** Read as 16-bit floats of either kind it is a vector of length 1, which chance does not make. */
function isHalf(bytes: Uint8Array<ArrayBuffer>): boolean {
  const halves = new Uint16Array(bytes.buffer);
  const isUnit = (read: (bits: number) => number) =>
    Math.abs(normOf(Float32Array.from(halves, read)) - 1) < 0.05;
  return isUnit(float16Of) || isUnit(bfloat16Of);
}

function float16Of(bits: number): number {
  const sign = bits & 0x8000 ? -1 : 1;
  const exponent = (bits >> 10) & 0x1f;
  const fraction = bits & 0x3ff;
  if (exponent === 0) return sign * fraction * 2 ** -24;
  if (exponent === 0x1f) return Number.NaN;
  return sign * (1 + fraction / 1024) * 2 ** (exponent - 15);
}

const word = new DataView(new ArrayBuffer(4));

function bfloat16Of(bits: number): number {
  word.setUint32(0, bits << 16);
  return word.getFloat32(0);
}

function withTurnedBytes(bytes: Uint8Array<ArrayBuffer>): Float32Array<ArrayBuffer> {
  const view = new DataView(bytes.buffer);
  return Float32Array.from({ length: bytes.length / 4 }, (_, index) => view.getFloat32(index * 4, false));
}
