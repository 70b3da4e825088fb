import { describe, expect, it } from 'vitest';

import type { ContentPart } from '../../gateway/wire.ts';
import {
  createTestEnvironment,
  createTestSession,
  createTextChoices,
  createTestTurn,
  addTestTurn,
} from '../../testing/builders.ts';
import { addPrompt } from '../session/edit-session.ts';
import { reissueIds } from '../session/reissue-ids.ts';
import { getLanePath, getRun } from '../session/turn-tree.ts';
import type { SessionData } from '../session/types.ts';
import { describeImportError } from './import-error.ts';
import { buildExportChunks, formatSessionJson, listImageHashes } from './session-export.ts';
import { readImport } from './session-import.ts';

function createTwoTurns(): SessionData {
  const environment = createTestEnvironment();
  const first = createTestTurn(environment, 'One', createTextChoices('1'));
  return addTestTurn(first.data, environment, 'Two', createTextChoices('2')).data;
}

const exportedText = buildExportChunks([formatSessionJson({ data: createTwoTurns(), unreadable: [] })]).join(
  '',
);

/** Returns the export with one piece of text replaced. */
function replaceInExport(from: string, to: string): string {
  if (!exportedText.includes(from)) throw new Error(`${from} is not in the export`);
  return exportedText.replace(from, to);
}

const readInvalidImport = (text: string) => {
  const reading = readImport(text);
  if (reading.ok) throw new Error('The file was imported');
  return reading;
};
const findLine = (text: string, part: string) => text.slice(0, text.indexOf(part)).split('\n').length;

describe('import of an invalid file', () => {
  it('reports the line of a JSON syntax error', () => {
    const broken = replaceInExport('"turns": [', '"turns": [,');
    expect(readInvalidImport(broken)).toMatchObject({ line: findLine(broken, '[,') });
    expect(readInvalidImport(broken).reason).toMatch(/^It is not valid JSON/);
  });

  it('reports the last line of a truncated file', () => {
    const half = exportedText.slice(0, exportedText.length / 2);
    expect(readInvalidImport(half).line).toBeGreaterThan(half.split('\n').length - 2);
    expect(readInvalidImport('')).toMatchObject({ reason: 'The file is empty.', line: 1 });
  });

  it.each([
    ['another format', '{"version":1,"conversations":[]}', /not a Bench export/],
    ['a list', '[]', /not a Bench export/],
    ['a number', '7', /not a Bench export/],
    [
      'a newer version',
      replaceInExport('"version": 7', '"version": 8'),
      /newer version of Bench \(format 8\)/,
    ],
    ['no version', replaceInExport('"version": 7,', ''), /version is missing/],
    [
      'sessions that are not a list',
      '{"format":"bench-sessions","version":1,"sessions":{}}',
      /no list of sessions/,
    ],
  ])('rejects the file with a reason: %s', (_, text, reason) => {
    expect(readInvalidImport(text).reason).toMatch(reason);
  });

  it('rejects nesting beyond 100 levels before parsing', () => {
    const deep = replaceInExport('"sessions": [', `"sessions":\n${'['.repeat(10_000)}`);
    expect(readInvalidImport(deep)).toMatchObject({ line: 5 });
    expect(readInvalidImport(deep).reason).toContain('100 levels');
    const strings = replaceInExport('"One"', JSON.stringify('[{'.repeat(5000)));
    expect(readImport(strings).ok).toBe(true);
  });
});

describe('import of a damaged export', () => {
  it('rejects the whole file with the path and line of the problem', () => {
    const [turn] = Object.values(createTwoTurns().turns);
    const damaged = replaceInExport(`"seq": ${turn?.seq}`, '"seq": "two"');
    const importError = readInvalidImport(damaged);
    expect(importError).toMatchObject({ path: 'sessions[0].turns[0].seq', line: findLine(damaged, '"two"') });
    expect(describeImportError('my.json', importError)).toMatch(
      /^my\.json was not imported\. .+ Line \d+, at sessions\[0\]\.turns\[0\]\.seq\. Nothing was changed\.$/,
    );
  });

  it.each([
    ['missing list', '"prompts": [', '"questions": [', 'sessions[0].prompts'],
    ['duplicate ID', '"id": "id0004"', '"id": "id0003"', 'sessions[0].'],
    [
      'record of another session',
      '"sessionId": "id0001"',
      '"sessionId": "other"',
      'sessions[0].lanes[0].sessionId',
    ],
    [
      'ID that is a property of every object',
      '"id": "id0002"',
      '"id": "__proto__"',
      'sessions[0].lanes[0].id',
    ],
  ])('rejects a damaged export: %s', (_, from, to, path) => {
    expect(readInvalidImport(replaceInExport(from, to)).path).toContain(path);
  });

  it.each([
    [
      '__proto__',
      '"title": "One"',
      '"title": "One", "__proto__": {"polluted": true}',
      'sessions[0].__proto__',
    ],
    [
      'constructor.prototype',
      '"params": {',
      '"constructor": {"prototype": {"polluted": true}}, "params": {',
      'constructor',
    ],
  ])('rejects a key that could modify prototypes: %s', (_, from, to, path) => {
    expect(readInvalidImport(replaceInExport(from, to)).path).toContain(path);
    expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false);
    expect('polluted' in []).toBe(false);
  });

  it('rejects images that are not data URLs or have no valid hash', () => {
    const withImages = (images: string) => replaceInExport('\n  ]\n}', `\n  ],\n  "images": ${images}\n}`);
    const hash = 'b'.repeat(64);
    expect(readInvalidImport(withImages('[]')).path).toBe('images');
    expect(readInvalidImport(withImages('{"x": "data:image/png;base64,AA=="}')).path).toBe('images.x');
    expect(readInvalidImport(withImages(`{"${hash}": "https://tracker.test/x.png"}`)).path).toBe(
      `images.${hash}`,
    );
    expect(readInvalidImport(withImages(`{"${hash}": "data:text/html;base64,AA=="}`)).path).toBe(
      `images.${hash}`,
    );
  });
});

describe('import of numbers out of range', () => {
  const firstSeqField = `"seq": ${Object.values(createTwoTurns().turns)[0]?.seq}`;
  const { updatedAt } = createTwoTurns().session;

  it.each([
    [
      'timestamp outside the range of Date',
      replaceInExport(`"updatedAt": ${updatedAt}`, '"updatedAt": 9e15'),
      'updatedAt',
    ],
    ['sequence number 1e308', replaceInExport(firstSeqField, '"seq": 1e308'), 'turns[0].seq'],
    [
      'sequence number too large to be increased',
      replaceInExport(firstSeqField, `"seq": ${2 ** 52 + 1}`),
      'turns[0].seq',
    ],
  ])('reports the path of a number out of range: %s', (_, text, path) =>
    expect(readInvalidImport(text).path).toBe(`sessions[0].${path}`),
  );

  it('accepts large sequence numbers if later prompts still fit after them', () => {
    const reading = readImport(replaceInExport(firstSeqField, `"seq": ${2 ** 52}`));
    if (!reading.ok) throw new Error(reading.reason);
    const [importedSession] = reading.sessions;
    if (!importedSession) throw new Error('No session was imported');
    const environment = createTestEnvironment();
    const one = addTestTurn(importedSession, environment, 'Three', createTextChoices('3')).data;
    const two = addTestTurn(one, environment, 'Four', createTextChoices('4')).data;
    const seqs = Object.values(two.prompts).map(({ seq }) => seq);
    expect(new Set(seqs).size).toBe(4);
    expect(Math.max(...seqs)).toBeLessThanOrEqual(Number.MAX_SAFE_INTEGER);
    expect(
      readImport(buildExportChunks([formatSessionJson({ data: importedSession, unreadable: [] })]).join(''))
        .ok,
    ).toBe(true);
  });
});

describe('import of earlier and current files', () => {
  it.each([1, 2, 3, 4, 5, 6])('opens an export of version %i', (version) => {
    const earlier = replaceInExport('"version": 7', `"version": ${version}`);
    expect(readImport(earlier)).toMatchObject({ ok: true, damaged: 0 });
  });

  it('keeps documents and sounds of messages with their data', () => {
    const environment = createTestEnvironment();
    const content: ContentPart[] = [
      { type: 'file', file: { filename: 'a.pdf', file_data: `bench-image:${'a'.repeat(64)}` } },
      {
        type: 'input_audio',
        input_audio: { data: `bench-image:${'b'.repeat(64)}`, format: 'wav' },
        name: 'a.wav',
      },
    ];
    const { data } = addPrompt(createTestSession(environment), environment, {
      messages: [{ role: 'user', content }],
    });
    expect(listImageHashes(data)).toEqual(['a'.repeat(64), 'b'.repeat(64)]);
    const images = {
      ['a'.repeat(64)]: 'data:application/pdf;base64,JVBE',
      ['b'.repeat(64)]: 'data:audio/wav;base64,UklG',
    };
    const file = buildExportChunks([formatSessionJson({ data, unreadable: [] })], images).join('');
    const imported = readImport(file);
    if (!imported.ok) throw new Error(imported.reason);
    expect(Object.values(imported.sessions[0]?.prompts ?? {})[0]?.messages[0]?.content).toEqual(content);
    expect(imported.images).toEqual(images);
    expect(readImport(file.replace('application/pdf', 'text/html'))).toMatchObject({ ok: false });
  });
});

describe('import with unknown fields', () => {
  it('drops unknown fields on import', () => {
    const reading = readImport(replaceInExport('"title": "One"', '"title": "One", "colour": "red"'));
    expect(reading.ok && reading.sessions[0]?.session).toEqual(createTwoTurns().session);
  });

  it('accepts a file with a byte order mark', () =>
    expect(readImport(`\uFEFF${exportedText}`).ok).toBe(true));
});

describe('reissued IDs', () => {
  it('replaces every ID and keeps paths, versions and answers', () => {
    const data = createTwoTurns();
    const environment = createTestEnvironment();
    const { data: fresh, runIds } = reissueIds(data, () => `new-${environment.newId()}`);
    const listIds = (session: SessionData) =>
      [session.lanes, session.prompts, session.turns, session.runs].flatMap(Object.keys);
    expect(new Set([...listIds(data), ...listIds(fresh)]).size).toBe(listIds(data).length * 2);
    const listTurns = (session: SessionData) => {
      const lane = session.lanes[session.session.laneIds[0] ?? ''];
      return (
        lane &&
        getLanePath(session, lane).map((turn) => {
          const run = getRun(session, turn);
          return [
            session.prompts[turn.promptId]?.messages,
            run?.choices,
            turn.sessionId === session.session.id,
          ];
        })
      );
    };
    expect(listTurns(fresh)).toEqual(listTurns(data));
    expect(listTurns(fresh)).toHaveLength(2);
    expect(runIds.map(([from, to]) => [data.runs[from]?.choices, from === to])).toEqual(
      runIds.map(([, to]) => [fresh.runs[to]?.choices, false]),
    );
  });
});
