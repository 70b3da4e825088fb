/** Reads an embeddings response (§2.7) item by item and reports everything that is wrong or unusual. */
import { getOwnProperty, getStringProperty } from '../../lib/json.ts';
import type { EmbeddingsRequest } from '../wire.ts';
import { readVector, type ElementType, type VectorFault } from './embedding-vector.ts';

/**
 * `fault`: unusable vectors, which are left out. `repaired`: used because the meaning is certain, but a strict client
 * would fail. `note`: information.
 */
export type FindingSeverity = 'fault' | 'repaired' | 'note';

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
  severity: FindingSeverity;
  /** Indexes of the affected inputs, from 0; empty if the finding concerns the whole response. */
  items: number[];
  /** Requested or usual value, and the received one. */
  expected?: string;
  received?: string;
}

type ItemResult =
  | { ok: true; vector: Float32Array<ArrayBuffer>; norm: number }
  | { ok: false; fault: FindingKind };

export interface RequestedEmbeddings {
  /** Number of inputs sent. */
  count: number;
  model: string;
  /** Undefined if not sent; either format may arrive. */
  format?: 'float' | 'base64';
  /** The value that was sent. */
  dimensions?: number;
  /** Requested quantisation. */
  elementType?: ElementType;
  /** Expected length of this model's vectors, if known from earlier responses. */
  length?: number;
}

export interface ParsedEmbeddings {
  /** One item per input, in their order. */
  items: ItemResult[];
  findings: WireFinding[];
  /** Encoding of most vectors. */
  encoding: 'float' | 'base64';
  /** Length of the usable vectors; `undefined` if there are none. */
  length?: number;
}

const elementTypes = new Map<unknown, ElementType>([
  ['int8', 'int8'],
  ['uint8', 'uint8'],
  ['binary', 'bits'],
  ['ubinary', 'bits'],
]);

/** Finds the field that requests an element type, whose name depends on the provider (`output_dtype`). */
export function findElementType(body: EmbeddingsRequest): { field: string; type: ElementType } | undefined {
  for (const [field, value] of Object.entries(body)) {
    if (field === 'model' || field === 'input') continue;
    const type = elementTypes.get(Array.isArray(value) && value.length === 1 ? value[0] : value);
    if (type) return { field, type };
  }
  return undefined;
}

const normTolerance = 1e-3;

/** Reads `data` by index, checks every vector and reports every fault. The items never contain a faulty vector. */
export function parseEmbeddings(value: unknown, requested: RequestedEmbeddings): ParsedEmbeddings {
  const rawData = getOwnProperty(value, 'data');
  const data: readonly unknown[] = Array.isArray(rawData) ? rawData : [];
  const findings = new Map<FindingKind, WireFinding>();
  const addFinding = (
    kind: FindingKind,
    severity: FindingSeverity,
    item?: number,
    fields: Partial<WireFinding> = {},
  ) => {
    const finding = findings.get(kind) ?? { kind, severity, items: [], ...fields };
    if (item !== undefined) finding.items.push(item);
    findings.set(kind, finding);
  };

  const placedItems = assignByIndex(data, requested.count, addFinding);
  const expectedLength = requested.length ?? requested.dimensions;
  let base64Count = 0;
  const items = placedItems.map((item, index): ItemResult => {
    if (!('embedding' in item)) {
      if (item.fault === 'missing') addFinding('missing', 'fault', index);
      return { ok: false, fault: item.fault };
    }
    const result = readVector(item.embedding, expectedLength, requested.elementType);
    if (result.encoding !== 'array' && result.encoding !== 'other') base64Count += 1;
    if (!result.ok) {
      addFinding(result.fault, 'fault', index);
      return { ok: false, fault: result.fault };
    }
    if (requested.format !== undefined && (result.encoding === 'array') !== (requested.format === 'float'))
      addFinding('format-ignored', 'repaired', index, {
        expected: requested.format,
        received: result.encoding === 'array' ? 'float' : 'base64',
      });
    if (result.encoding === 'float64')
      addFinding('float64', 'repaired', index, {
        expected: '4 bytes per number',
        received: '8 bytes per number',
      });
    if (result.integerType !== undefined)
      addFinding('integers', 'note', index, { received: result.integerType });
    else if (Math.abs(result.norm - 1) > normTolerance)
      addFinding('not-normalised', 'note', index, { expected: '1', received: result.norm.toPrecision(4) });
    return { ok: true, vector: result.vector, norm: result.norm };
  });

  const length = requested.length ?? findCommonLength(items);
  const uniformItems = items.map((item, index): ItemResult => {
    if (!item.ok || item.vector.length === length) return item;
    addFinding('uneven', 'fault', index, { expected: String(length), received: String(item.vector.length) });
    return { ok: false, fault: 'uneven' };
  });
  if (requested.dimensions !== undefined && length !== undefined && length !== requested.dimensions)
    addFinding('dimensions-ignored', 'repaired', undefined, {
      expected: String(requested.dimensions),
      received: String(length),
    });
  const model = getStringProperty(value, 'model');
  if (model !== undefined && model !== requested.model)
    addFinding('other-model', 'note', undefined, { expected: requested.model, received: model });
  if (getOwnProperty(value, 'usage') === undefined) addFinding('no-usage', 'note');

  return {
    items: uniformItems,
    findings: [...findings.values()],
    encoding: base64Count * 2 > items.length ? 'base64' : 'float',
    ...(length === undefined ? {} : { length }),
  };
}

type PlacedEmbedding = { embedding: unknown } | { fault: 'missing' | 'index-twice' | 'index-missing' };
type AddFinding = (
  kind: FindingKind,
  severity: FindingSeverity,
  item?: number,
  fields?: Partial<WireFinding>,
) => void;

/**
 * Assigns items by index. If no item has an index, the order is used, provided the count is right. Otherwise a missing
 * index means 0, since some servers omit zeros.
 */
function assignByIndex(data: readonly unknown[], count: number, addFinding: AddFinding): PlacedEmbedding[] {
  const placedItems = Array.from({ length: count }, (): PlacedEmbedding => ({ fault: 'missing' }));
  const indexes = data.map((item) => getOwnProperty(item, 'index') ?? undefined);
  if (data.length > 0 && indexes.every((index) => index === undefined)) {
    if (data.length !== count) {
      addFinding('index-missing', 'fault', undefined, {
        expected: String(count),
        received: String(data.length),
      });
      return placedItems.map(() => ({ fault: 'index-missing' }));
    }
    addFinding('index-missing', 'repaired');
    return data.map((item) => ({ embedding: getOwnProperty(item, 'embedding') }));
  }
  const duplicateIndexes = new Set<number>();
  let isOrdered = true;
  for (const [position, item] of data.entries()) {
    const index = indexes[position] ?? 0;
    if (indexes[position] === undefined) addFinding('index-zero', 'repaired', 0);
    if (typeof index !== 'number' || !Number.isInteger(index) || index < 0 || index >= count) {
      addFinding('index-outside', 'note', undefined, {
        expected: `0 to ${count - 1}`,
        received: formatIndex(index),
      });
      continue;
    }
    if (index !== position) isOrdered = false;
    const previousItem = placedItems[index];
    if (previousItem && 'embedding' in previousItem) duplicateIndexes.add(index);
    placedItems[index] = { embedding: getOwnProperty(item, 'embedding') };
  }
  for (const index of duplicateIndexes) {
    addFinding('index-twice', 'fault', index);
    placedItems[index] = { fault: 'index-twice' };
  }
  if (!isOrdered && duplicateIndexes.size === 0) addFinding('out-of-order', 'repaired');
  return placedItems;
}

function formatIndex(index: unknown): string {
  return (JSON.stringify(index) ?? 'none').slice(0, 40);
}

function findCommonLength(items: readonly ItemResult[]): number | undefined {
  const counts = new Map<number, number>();
  for (const item of items)
    if (item.ok) counts.set(item.vector.length, (counts.get(item.vector.length) ?? 0) + 1);
  let commonLength: number | undefined;
  for (const [length, count] of counts) {
    if (commonLength === undefined || count > (counts.get(commonLength) ?? 0)) commonLength = length;
  }
  return commonLength;
}
