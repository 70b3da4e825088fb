/** Collects what could not be read or written of a configuration, with counts and reasons. */
import { pluralize } from '../../../lib/format.ts';
import { sanitizeForSentence } from '../../../lib/text/safe-text.ts';

const maxNameChars = 40;
const maxNotes = 200;
/** Stands for the parts of all further kinds. */
const otherParts = { subject: 'other part', reason: `the list ends after ${maxNotes} kinds of parts` };

/** Parts of one kind that were not read or written, or not exactly, for one reason. */
export interface ConfigNote {
  /** Singular noun, such as "javascript assertion". */
  subject: string;
  /** Name of these parts in the configuration, such as that of a setting. */
  name?: string;
  count: number;
  /** Number of cases that the parts belong to; absent for parts of the whole configuration. */
  cases?: number;
  /** True if the parts were read or written with the difference given as the reason. */
  isChanged?: true;
  /** Sentence without its full stop. */
  reason: string;
}

/** Returns the note as a sentence: "3 javascript assertions in 12 cases were not read: Bench runs no code." */
export function describeImportNote(note: ConfigNote): string {
  return describeNote(note, 'read');
}

/** Returns the note as a sentence: "1 check “fast” was not written: promptfoo has no such assertion." */
export function describeExportNote(note: ConfigNote): string {
  return describeNote(note, 'written');
}

function describeNote(
  { subject, name, count, cases, isChanged, reason }: ConfigNote,
  verb: 'read' | 'written',
): string {
  const quotedName = name === undefined ? '' : ` “${sanitizeForSentence(name, maxNameChars)}”`;
  const place = cases === undefined ? '' : ` in ${pluralize(cases, 'case')}`;
  const outcome = isChanged ? `${verb} with a difference` : `not ${verb}`;
  return `${pluralize(count, subject)}${quotedName}${place} ${count === 1 ? 'was' : 'were'} ${outcome}: ${reason}.`;
}

type NotedPart = Pick<ConfigNote, 'subject' | 'name' | 'reason'> & {
  /** Numbers of the cases that the part belongs to. */
  cases?: readonly number[] | undefined;
};

export interface NoteCollector {
  /** Counts one more part that was not read or written. */
  add: (part: NotedPart) => void;
  /** Counts one more part with a difference. */
  addChange: (part: NotedPart) => void;
  list: () => ConfigNote[];
}

/** Creates a collector. Notes keep the order in which their kinds first appeared. */
export function createNoteCollector(): NoteCollector {
  const notes = new Map<string, { note: ConfigNote; cases: Set<number> }>();
  const addPart = ({ cases = [], ...part }: NotedPart, change: Pick<ConfigNote, 'isChanged'>) => {
    const isListed = notes.size < maxNotes || notes.has(JSON.stringify([part, change]));
    const listedPart = isListed ? part : otherParts;
    const key = JSON.stringify([listedPart, change]);
    const entry = notes.get(key) ?? {
      note: { ...listedPart, ...change, count: 0 },
      cases: new Set<number>(),
    };
    entry.note.count += 1;
    for (const number of cases) entry.cases.add(number);
    notes.set(key, entry);
  };
  return {
    add: (part) => addPart(part, {}),
    addChange: (part) => addPart(part, { isChanged: true }),
    list: () =>
      [...notes.values()].map(({ note, cases }) => (cases.size > 0 ? { ...note, cases: cases.size } : note)),
  };
}
