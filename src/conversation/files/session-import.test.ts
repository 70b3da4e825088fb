import { describe, expect, it } from 'vitest';

import { anEnvironment, answered, aSession, say } from '../../testing/builders.ts';
import { reissueIds } from '../session/reissue-ids.ts';
import { pathOf, runOf } from '../session/turn-tree.ts';
import type { SessionData } from '../session/types.ts';
import { refusalWords } from './import-error.ts';
import { exportPieces, sessionJson } from './session-export.ts';
import { readImport } from './session-import.ts';

function aConversation(): SessionData {
  const environment = anEnvironment();
  const one = say(aSession(environment), environment, 'One', answered('1'));
  return say(one.data, environment, 'Two', answered('2')).data;
}

const exported = exportPieces([sessionJson({ data: aConversation(), unreadable: [] })]).join('');

/** The export with one piece of its text replaced. */
function changed(from: string, to: string): string {
  if (!exported.includes(from)) throw new Error(`${from} is not in the export`);
  return exported.replace(from, to);
}

const refused = (text: string) => {
  const reading = readImport(text);
  if (reading.ok) throw new Error('It was taken in');
  return reading;
};
const lineOf = (text: string, part: string) => text.slice(0, text.indexOf(part)).split('\n').length;

describe('a file that is not an export', () => {
  it('is refused with the line where its JSON breaks', () => {
    const broken = changed('"turns": [', '"turns": [,');
    expect(refused(broken)).toMatchObject({ line: lineOf(broken, '[,') });
    expect(refused(broken).reason).toMatch(/^It is not valid JSON/);
  });

  it('is refused at its last line where it was cut off', () => {
    const half = exported.slice(0, exported.length / 2);
    expect(refused(half).line).toBeGreaterThan(half.split('\n').length - 2);
    expect(refused('')).toMatchObject({ reason: 'The file is empty.', line: 1 });
  });

  it.each([
    ['another format', '{"version":1,"conversations":[]}', /Bench did not export it/],
    ['a list', '[]', /Bench did not export it/],
    ['a number', '7', /Bench did not export it/],
    ['a newer version', changed('"version": 2', '"version": 3'), /newer version of Bench \(format 3\)/],
    ['no version', changed('"version": 2,', ''), /version is missing/],
    [
      'sessions that are not a list',
      '{"format":"bench-sessions","version":1,"sessions":{}}',
      /no list of sessions/,
    ],
  ])('is refused with the reason: %s', (_, text, reason) => {
    expect(refused(text).reason).toMatch(reason);
  });

  it('is refused where it is nested deeper than 100 levels, before it is parsed', () => {
    const deep = changed('"sessions": [', `"sessions":\n${'['.repeat(10_000)}`);
    expect(refused(deep)).toMatchObject({ line: 5 });
    expect(refused(deep).reason).toContain('100 levels');
    const strings = changed('"One"', JSON.stringify('[{'.repeat(5000)));
    expect(readImport(strings).ok).toBe(true);
  });
});

describe('a damaged export', () => {
  it('is refused as a whole, with the place in words and the line', () => {
    const [turn] = Object.values(aConversation().turns);
    const damaged = changed(`"seq": ${turn?.seq}`, '"seq": "two"');
    const refusal = refused(damaged);
    expect(refusal).toMatchObject({ place: 'sessions[0].turns[0].seq', line: lineOf(damaged, '"two"') });
    expect(refusalWords('my.json', refusal)).toMatch(
      /^my\.json was not imported\. .+ Line \d+, at sessions\[0\]\.turns\[0\]\.seq\. Nothing was changed\.$/,
    );
  });

  it.each([
    ['a missing list', '"prompts": [', '"questions": [', 'sessions[0].prompts'],
    ['an id twice', '"id": "id0004"', '"id": "id0003"', 'sessions[0].'],
    [
      'a record of another session',
      '"sessionId": "id0001"',
      '"sessionId": "other"',
      'sessions[0].lanes[0].sessionId',
    ],
    ['an id that every object answers to', '"id": "id0002"', '"id": "__proto__"', 'sessions[0].lanes[0].id'],
  ])('is refused: %s', (_, from, to, place) => {
    expect(refused(changed(from, to)).place).toContain(place);
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
  ])('with a key that reaches for prototypes is refused, and pollutes nothing: %s', (_, from, to, place) => {
    expect(refused(changed(from, to)).place).toContain(place);
    expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false);
    expect('polluted' in []).toBe(false);
  });

  it('is refused for images that are not images, or stand under no hash', () => {
    const withImages = (images: string) => changed('\n  ]\n}', `\n  ],\n  "images": ${images}\n}`);
    const hash = 'b'.repeat(64);
    expect(refused(withImages('[]')).place).toBe('images');
    expect(refused(withImages('{"x": "data:image/png;base64,AA=="}')).place).toBe('images.x');
    expect(refused(withImages(`{"${hash}": "https://tracker.test/x.png"}`)).place).toBe(`images.${hash}`);
    expect(refused(withImages(`{"${hash}": "data:text/html;base64,AA=="}`)).place).toBe(`images.${hash}`);
  });
});

describe('an export with numbers that are too large', () => {
  const seqOfFirst = `"seq": ${Object.values(aConversation().turns)[0]?.seq}`;
  const { updatedAt } = aConversation().session;

  it.each([
    ['a time that no date can show', changed(`"updatedAt": ${updatedAt}`, '"updatedAt": 9e15'), 'updatedAt'],
    ['an order of 1e308', changed(seqOfFirst, '"seq": 1e308'), 'turns[0].seq'],
    ['an order that leaves no room for more', changed(seqOfFirst, `"seq": ${2 ** 52 + 1}`), 'turns[0].seq'],
  ])('is refused at the place: %s', (_, text, place) =>
    expect(refused(text).place).toBe(`sessions[0].${place}`),
  );

  it('is taken in while there is room: what is said next comes after all of it, one by one', () => {
    const reading = readImport(changed(seqOfFirst, `"seq": ${2 ** 52}`));
    if (!reading.ok) throw new Error(reading.reason);
    const [imported] = reading.sessions;
    if (!imported) throw new Error('No session came');
    const environment = anEnvironment();
    const one = say(imported, environment, 'Three', answered('3')).data;
    const two = say(one, environment, 'Four', answered('4')).data;
    const all = Object.values(two.prompts).map(({ seq }) => seq);
    expect(new Set(all).size).toBe(4);
    expect(Math.max(...all)).toBeLessThanOrEqual(Number.MAX_SAFE_INTEGER);
    expect(readImport(exportPieces([sessionJson({ data: imported, unreadable: [] })]).join('')).ok).toBe(
      true,
    );
  });
});

describe('an export with what this version does not know', () => {
  it('is read, and the unknown is left out', () => {
    const reading = readImport(changed('"title": "One"', '"title": "One", "colour": "red"'));
    expect(reading.ok && reading.sessions[0]?.session).toEqual(aConversation().session);
  });

  it('may begin with a byte order mark', () => expect(readImport(`\uFEFF${exported}`).ok).toBe(true));
});

describe('new ids', () => {
  it('change every id and nothing else: paths, versions and answers are the same', () => {
    const data = aConversation();
    const environment = anEnvironment();
    const { data: fresh, runIds } = reissueIds(data, () => `new-${environment.newId()}`);
    const all = (session: SessionData) =>
      [session.lanes, session.prompts, session.turns, session.runs].flatMap(Object.keys);
    expect(new Set([...all(data), ...all(fresh)]).size).toBe(all(data).length * 2);
    const said = (session: SessionData) => {
      const lane = session.lanes[session.session.laneIds[0] ?? ''];
      return (
        lane &&
        pathOf(session, lane).map((turn) => {
          const run = runOf(session, turn);
          return [
            session.prompts[turn.promptId]?.messages,
            run?.choices,
            turn.sessionId === session.session.id,
          ];
        })
      );
    };
    expect(said(fresh)).toEqual(said(data));
    expect(said(fresh)).toHaveLength(2);
    expect(runIds.map(([from, to]) => [data.runs[from]?.choices, from === to])).toEqual(
      runIds.map(([, to]) => [fresh.runs[to]?.choices, false]),
    );
  });
});
