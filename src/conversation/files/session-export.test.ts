import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import {
  createTestEnvironment,
  createTextChoices,
  createTestSession,
  createTestTurn,
  createTestSetup,
  addTestTurn,
  createTickedParams,
} from '../../testing/builders.ts';
import { arbitrarySession } from '../../testing/cases/arbitrary-sessions.ts';
import { getCaseCount } from '../../testing/seeds.ts';
import type { SessionData } from '../session/types.ts';
import { buildExportChunks, toFileName, listImageHashes, formatSessionJson } from './session-export.ts';
import { readImport } from './session-import.ts';

const buildFile = (sessions: readonly SessionData[], images: Record<string, string> = {}) =>
  buildExportChunks(
    sessions.map((data) => formatSessionJson({ data, unreadable: [] })),
    images,
  ).join('');

function importFileText(text: string) {
  const reading = readImport(text);
  if (!reading.ok) throw new Error(`${reading.reason} ${reading.path ?? ''} ${reading.line ?? ''}`);
  return reading;
}

describe('session export', () => {
  it('gives identical bytes after an import and another export', () => {
    const distinctSessions = fc.uniqueArray(arbitrarySession, {
      maxLength: 2,
      selector: (data) => data.session.id.split('-')[0],
    });
    fc.assert(
      fc.property(distinctSessions, (sessions) => {
        const exportedText = buildFile(sessions);
        const importedSessions = importFileText(exportedText).sessions;
        expect(importedSessions).toHaveLength(sessions.length);
        expect(buildFile(importedSessions)).toBe(exportedText);
        expect(buildFile(importFileText(buildFile(importedSessions)).sessions)).toBe(exportedText);
      }),
      { numRuns: getCaseCount(60) },
    );
  });

  it('keeps all texts byte for byte', () => {
    fc.assert(
      fc.property(arbitrarySession, (data) => {
        const [importedSession] = importFileText(buildFile([data])).sessions;
        const listTexts = (session: SessionData | undefined) =>
          Object.values(session?.runs ?? {}).map((run) => [
            run.id,
            run.setup.system,
            run.choices.map((choice) => choice.parts),
          ]);
        expect(listTexts(importedSession)).toEqual(listTexts(data));
        expect(importedSession?.session.title).toBe(data.session.title);
      }),
      { numRuns: getCaseCount(60) },
    );
  });

  it('writes status, text and metrics of each run as plain fields', () => {
    const environment = createTestEnvironment();
    const times = {
      sentAt: 5,
      firstTokenMs: 100,
      firstTextMs: 100,
      lastEventMs: 1100,
      endedMs: 1100,
      requestId: 'r-1',
    };
    const { data } = createTestTurn(environment, 'One', {
      ...createTextChoices('Hello there', 'Or this'),
      ...times,
      deltas: 40,
      usage: { promptTokens: 12, completionTokens: 30, totalTokens: 42 },
    });
    const file: unknown = JSON.parse(buildFile([data]));
    expect(file).toMatchObject({
      format: 'bench-sessions',
      version: 7,
      sessions: [
        {
          title: 'One',
          lanes: [{ setup: { model: 'demo/guide' } }],
          prompts: [{ messages: [{ role: 'user', content: 'One' }] }],
          turns: [{}],
          runs: [
            {
              status: 'complete',
              text: 'Hello there',
              texts: ['Hello there', 'Or this'],
              metrics: {
                timeToFirstTokenMs: 100,
                tokensPerSecond: 30,
                tokensIn: 12,
                tokensOut: 30,
                durationMs: 1100,
                finishReason: 'stop',
                requestId: 'r-1',
              },
            },
          ],
        },
      ],
    });
  });

  it('lists the estimated metrics and writes null for unknown metrics', () => {
    const environment = createTestEnvironment();
    const { data } = createTestTurn(environment, 'One', {
      ...createTextChoices('Hi'),
      deltas: 9,
      firstTokenMs: 1,
      lastEventMs: 11,
      estimatedPromptTokens: 3,
    });
    const file: unknown = JSON.parse(buildFile([data]));
    expect(file).toMatchObject({
      sessions: [
        {
          runs: [
            {
              metrics: {
                tokensOut: 9,
                durationMs: null,
                estimated: ['tokensPerSecond', 'tokensIn', 'tokensOut'],
              },
            },
          ],
        },
      ],
    });
  });

  it('marks live sessions as partial and imports their runs as interrupted', () => {
    const environment = createTestEnvironment();
    const { data, runId } = createTestTurn(environment, 'One', {
      ...createTextChoices(),
      choices: [{ parts: [{ type: 'text', text: 'Half' }], held: ' <thi' }],
      phase: { name: 'streaming' },
      lastEventMs: 30,
    });
    const text = buildFile([data]);
    expect(JSON.parse(text)).toMatchObject({
      sessions: [{ partial: true, runs: [{ partial: true, status: 'streaming', text: 'Half' }] }],
    });
    const run = importFileText(text).sessions[0]?.runs[runId];
    expect(run).toMatchObject({ phase: { name: 'interrupted' }, endedMs: 30 });
    expect(run?.choices[0]?.parts).toEqual([{ type: 'text', text: 'Half <thi' }]);
  });

  it('lists damaged records separately and reports their number on import', () => {
    const data = createTestSession(createTestEnvironment());
    const raw = { id: 'broken', seq: 'x' };
    const text = buildExportChunks([
      formatSessionJson({ data, unreadable: [{ kind: 'turn', id: 'broken', reason: 'seq', raw }] }),
    ]).join('');
    expect(JSON.parse(text)).toMatchObject({ sessions: [{ unreadable: [{ kind: 'turn', raw }] }] });
    expect(importFileText(text).damaged).toBe(1);
  });

  it('includes each image once, by hash', () => {
    const environment = createTestEnvironment();
    const hash = 'a'.repeat(64);
    const { data } = createTestTurn(environment, 'One', createTextChoices('1'));
    const [prompt] = Object.values(data.prompts);
    const part = { type: 'image_url' as const, image_url: { url: `bench-image:${hash}` } };
    if (!prompt) throw new Error('The prompt is missing');
    const message = {
      role: 'user' as const,
      content: [part, part, { type: 'image_url' as const, image_url: { url: 'https://x.test/' } }],
    };
    const withImages = { ...data, prompts: { [prompt.id]: { ...prompt, messages: [message] } } };
    expect(listImageHashes(withImages)).toEqual([hash]);
    const images = { [hash]: 'data:image/png;base64,iVBORw0KGgo=' };
    const text = buildFile([withImages], images);
    expect(importFileText(text).images).toEqual(images);
    expect(buildFile(importFileText(text).sessions, importFileText(text).images)).toBe(text);
  });

  it('adds the note about the demo gateway only if one of its models answered', () => {
    const environment = createTestEnvironment();
    const realSession = createTestSession(environment, [
      createTestSetup({ model: 'north/one', params: createTickedParams({ temperature: '1' }) }),
    ]);
    expect(
      buildFile([addTestTurn(realSession, environment, 'One', createTextChoices('1')).data]),
    ).not.toContain('language models');
    expect(buildFile([createTestTurn(environment, 'One', createTextChoices('1')).data])).toContain(
      'not language models',
    );
  });
});

describe('export file name', () => {
  it('uses at most 50 letters and digits of the title as the file name', () => {
    const rows = [
      ['Which *rivers* cross Vienna?', 'bench-Which-rivers-cross-Vienna.json'],
      ['../../etc/passwd', 'bench-etc-passwd.json'],
      ['CON', 'bench-CON.json'],
      ['a\u202egnp.exe', 'bench-a-gnp-exe.json'],
      ['Zwölf Boxkämpfer', 'bench-Zwölf-Boxkämpfer.json'],
      ['日本の天気', 'bench-日本の天気.json'],
      ['"<>:|?*\\/', 'bench-session.json'],
      ['', 'bench-session.json'],
      ['... . .', 'bench-session.json'],
      ['x'.repeat(300), `bench-${'x'.repeat(50)}.json`],
    ] as const;
    expect(rows.map(([title]) => [title, toFileName(title, 'json')])).toEqual(rows);
  });
});
