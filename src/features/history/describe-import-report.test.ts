import { describe, expect, it } from 'vitest';

import { createReport } from '../../state/backup/read-backup.ts';
import { describeImportReport } from './describe-import-report.ts';

describe('report of an imported backup', () => {
  it('counts what was imported, with settings only if they were applied', () => {
    const report = {
      ...createReport(),
      added: { sessions: ['a', 'b'], trials: ['c'], sets: [] },
      replaced: { sessions: ['d'], trials: [], sets: [] },
      addedRecords: { presets: 1, learned: 4, images: 0, vectors: 2 },
      prefs: {},
      isComplete: true,
    };
    expect(describeImportReport('a.jsonl', report, true)).toEqual({
      text: 'Imported 3 sessions, 1 trial, 1 preset, 2 vectors and settings from a.jsonl.',
      isNotable: false,
    });
    expect(describeImportReport('a.jsonl', report, false).text).not.toContain('settings');
  });

  it('lists everything that was left out', () => {
    const report = {
      ...createReport(),
      kept: 2,
      busy: 1,
      conflicting: 1,
      keptPresets: 1,
      damaged: 1,
      unknown: 3,
      isComplete: true,
    };
    expect(describeImportReport('a.jsonl', report, false)).toEqual({
      text:
        'Imported nothing from a.jsonl. Left out: 2 that are as new or newer here, 1 with answers in progress here, ' +
        '1 that share records with others here, 1 preset with an ID or a name used here, ' +
        '1 damaged or incomplete record and 3 records of a kind unknown to this version.',
      isNotable: true,
    });
  });

  it.each([
    {
      name: 'cut',
      changes: {},
      text: 'The file is incomplete: everything before the cut that is whole was imported.',
    },
    { name: 'cancelled', changes: { isCancelled: true }, text: 'The import was cancelled.' },
    {
      name: 'failed',
      changes: { problem: 'The disk is full' },
      text: 'The import ended early: The disk is full',
    },
  ])('gives the reason if the import was $name', ({ changes, text }) => {
    const described = describeImportReport('a.jsonl', { ...createReport(), ...changes }, false);
    expect(described).toEqual({ text: `Imported nothing from a.jsonl. ${text}`, isNotable: true });
  });
});
