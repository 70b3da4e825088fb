/** What an embeddings answer (§2.7) really holds, item by item, and everything about it that is not as it should be. */
import { ownProperty, stringProperty } from '../../lib/json.ts';
import type { EmbeddingsRequest } from '../wire.ts';
import { readVector, type ElementType, type VectorFault } from './embedding-vector.ts';

/**
 * `fault`: vectors that cannot be used, and are not. `repaired`: used, since it is certain what was meant, but a client
 * that takes it as announced is wrong. `note`: worth knowing.
 */
export type FindingWeight = 'fault' | 'repaired' | 'note';

export type FindingKind =
  | VectorFault
  | 'missing'
  | 'index-twice'
  | 'index-missing'
  | 'index-zero'
  | 'index-outside'
  | 'out-of-order'
  | 'uneven'
  | 'format-ignored'
  | 'float64'
  | 'integers'
  | 'dimensions-ignored'
  | 'not-normalised'
  | 'other-model'
  | 'no-usage';

export interface WireFinding {
  kind: FindingKind;
  weight: FindingWeight;
  /** Which inputs of the request, from 0; empty where it concerns the whole answer. */
  items: number[];
  /** What was asked or usual, and what came. */
  expected?: string;
  found?: string;
}

type ItemReading =
  | { ok: true; vector: Float32Array<ArrayBuffer>; norm: number }
  | { ok: false; fault: FindingKind };

export interface AskedEmbeddings {
  /** How many inputs were sent. */
  count: number;
  model: string;
  /** Undefined: not sent, so either may come. */
  format?: 'float' | 'base64';
  /** As sent. */
  dimensions?: number;
  /** Quantisation that the request names. */
  elementType?: ElementType;
  /** The length that vectors of this model have, where earlier answers have shown it. */
  length?: number;
}

export interface EmbeddingsReading {
  /** One for each input, in their order. */
  items: ItemReading[];
  findings: WireFinding[];
  /** How most vectors came. */
  encoding: 'float' | 'base64';
  /** The length of the vectors that can be used; undefined where none can. */
  length?: number;
}

const elementTypes = new Map<unknown, ElementType>([
  ['int8', 'int8'],
  ['uint8', 'uint8'],
  ['binary', 'bits'],
  ['ubinary', 'bits'],
]);

/** Finds the further field that requests an element type, whose name differs by provider (`output_dtype`). */
export function findElementType(body: EmbeddingsRequest): { field: string; type: ElementType } | undefined {
  for (const [field, value] of Object.entries(body)) {
    if (field === 'model' || field === 'input') continue;
    const type = elementTypes.get(Array.isArray(value) && value.length === 1 ? value[0] : value);
    if (type) return { field, type };
  }
  return undefined;
}

const normTolerance = 1e-3;

/** Reads `data` by index, checks every vector, and names every fault. A faulty vector is never among the items. */
export function readEmbeddings(value: unknown, asked: AskedEmbeddings): EmbeddingsReading {
  const found = ownProperty(value, 'data');
  const data: readonly unknown[] = Array.isArray(found) ? found : [];
  const findings = new Map<FindingKind, WireFinding>();
  const note = (kind: FindingKind, weight: FindingWeight, item?: number, more: Partial<WireFinding> = {}) => {
    const known = findings.get(kind) ?? { kind, weight, items: [], ...more };
    if (item !== undefined) known.items.push(item);
    findings.set(kind, known);
  };

  const placed = placeByIndex(data, asked.count, note);
  const expected = asked.length ?? asked.dimensions;
  let base64Count = 0;
  const items = placed.map((item, index): ItemReading => {
    if (!('embedding' in item)) {
      if (item.fault === 'missing') note('missing', 'fault', index);
      return { ok: false, fault: item.fault };
    }
    const reading = readVector(item.embedding, expected, asked.elementType);
    if (reading.form !== 'array' && reading.form !== 'other') base64Count += 1;
    if (!reading.ok) {
      note(reading.fault, 'fault', index);
      return { ok: false, fault: reading.fault };
    }
    if (asked.format !== undefined && (reading.form === 'array') !== (asked.format === 'float'))
      note('format-ignored', 'repaired', index, {
        expected: asked.format,
        found: reading.form === 'array' ? 'float' : 'base64',
      });
    if (reading.form === 'float64')
      note('float64', 'repaired', index, { expected: '4 bytes per number', found: '8 bytes per number' });
    if (reading.integers !== undefined) note('integers', 'note', index, { found: reading.integers });
    else if (Math.abs(reading.norm - 1) > normTolerance)
      note('not-normalised', 'note', index, { expected: '1', found: reading.norm.toPrecision(4) });
    return { ok: true, vector: reading.vector, norm: reading.norm };
  });

  const length = asked.length ?? commonLength(items);
  const even = items.map((item, index): ItemReading => {
    if (!item.ok || item.vector.length === length) return item;
    note('uneven', 'fault', index, { expected: String(length), found: String(item.vector.length) });
    return { ok: false, fault: 'uneven' };
  });
  if (asked.dimensions !== undefined && length !== undefined && length !== asked.dimensions)
    note('dimensions-ignored', 'repaired', undefined, {
      expected: String(asked.dimensions),
      found: String(length),
    });
  const model = stringProperty(value, 'model');
  if (model !== undefined && model !== asked.model)
    note('other-model', 'note', undefined, { expected: asked.model, found: model });
  if (ownProperty(value, 'usage') === undefined) note('no-usage', 'note');

  return {
    items: even,
    findings: [...findings.values()],
    encoding: base64Count * 2 > items.length ? 'base64' : 'float',
    ...(length === undefined ? {} : { length }),
  };
}

type Placed = { embedding: unknown } | { fault: 'missing' | 'index-twice' | 'index-missing' };
type Note = (kind: FindingKind, weight: FindingWeight, item?: number, more?: Partial<WireFinding>) => void;

/**
 * Places items by index. Without any index the order counts if their number is right; otherwise nothing is guessed. Beside
 * items that have one, a missing index is 0: some servers leave zeros out.
 */
function placeByIndex(data: readonly unknown[], count: number, note: Note): Placed[] {
  const placed = Array.from({ length: count }, (): Placed => ({ fault: 'missing' }));
  const indexes = data.map((item) => ownProperty(item, 'index') ?? undefined);
  if (data.length > 0 && indexes.every((index) => index === undefined)) {
    if (data.length !== count) {
      note('index-missing', 'fault', undefined, { expected: String(count), found: String(data.length) });
      return placed.map(() => ({ fault: 'index-missing' }));
    }
    note('index-missing', 'repaired');
    return data.map((item) => ({ embedding: ownProperty(item, 'embedding') }));
  }
  const twice = new Set<number>();
  let isOrdered = true;
  for (const [position, item] of data.entries()) {
    const index = indexes[position] ?? 0;
    if (indexes[position] === undefined) note('index-zero', 'repaired', 0);
    if (typeof index !== 'number' || !Number.isInteger(index) || index < 0 || index >= count) {
      note('index-outside', 'note', undefined, { expected: `0 to ${count - 1}`, found: shownIndex(index) });
      continue;
    }
    if (index !== position) isOrdered = false;
    const there = placed[index];
    if (there && 'embedding' in there) twice.add(index);
    placed[index] = { embedding: ownProperty(item, 'embedding') };
  }
  for (const index of twice) {
    note('index-twice', 'fault', index);
    placed[index] = { fault: 'index-twice' };
  }
  if (!isOrdered && twice.size === 0) note('out-of-order', 'repaired');
  return placed;
}

function shownIndex(index: unknown): string {
  return (JSON.stringify(index) ?? 'none').slice(0, 40);
}

function commonLength(items: readonly ItemReading[]): number | undefined {
  const counts = new Map<number, number>();
  for (const item of items)
    if (item.ok) counts.set(item.vector.length, (counts.get(item.vector.length) ?? 0) + 1);
  let best: number | undefined;
  for (const [length, count] of counts) {
    if (best === undefined || count > (counts.get(best) ?? 0)) best = length;
  }
  return best;
}
