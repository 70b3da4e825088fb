/** Records that earlier builds stored: all kinds of endings, drafts of version 2, images, vectors and a trial. */
import { readFileSync } from 'node:fs';
import path from 'node:path';

import { migrateDraftParts } from '../../conversation/session/draft.ts';
import { isRecord } from '../../lib/json.ts';

export interface EarlierStore {
  name: string;
  records: Record<string, unknown>[];
}

interface EarlierRecords {
  /** `since` is the database version that introduced the store. */
  stores: (EarlierStore & { since: number })[];
  vectorStores: EarlierStore[];
}

/** Returns the stores of a database version with their records. Drafts are single records since version 3. */
export function listEarlierStores(version: number): EarlierStore[] {
  return readFixture()
    .stores.filter(({ since }) => since <= version)
    .map(({ name, records }) => ({
      name,
      records: name === 'drafts' && version > 2 ? migrateDraftParts(records) : records,
    }));
}

/** Returns the stores of the vector database, which is at its first version. */
export function listEarlierVectorStores(): EarlierStore[] {
  return readFixture().vectorStores;
}

function readFixture(): EarlierRecords {
  const text = readFileSync(path.join(import.meta.dirname, 'earlier-records.json'), 'utf8');
  const fixture: EarlierRecords = JSON.parse(text, (_key: string, value: unknown) => decodeBytes(value));
  return fixture;
}

/** JSON has no bytes: an object with `$` holds the type and the bytes in base64. */
function decodeBytes(value: unknown): unknown {
  if (!isRecord(value) || !('$' in value)) return value;
  const bytes = new Uint8Array(Buffer.from(String(value['bytes']), 'base64'));
  switch (value['$']) {
    case 'Blob':
      return new Blob([bytes], { type: String(value['type']) });
    case 'Float32Array':
      return new Float32Array(bytes.buffer);
    case 'Uint8Array':
      return bytes;
    default:
      throw new Error(`The fixture contains ${String(value['$'])}, which cannot be decoded.`);
  }
}
