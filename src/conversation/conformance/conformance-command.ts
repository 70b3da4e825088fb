import { pluralize } from '../../lib/format.ts';
/** What the command line makes of the check: its arguments, its table, its exit code. */
import { createDirectCalls, type CheckOptions, type CheckRow } from './conformance-check-call.ts';
import { checkGateway, noKeyTitle } from './conformance-check.ts';
import { countOf, faultGrade, faultWords } from './conformance-finding.ts';

export interface CommandPowers extends Pick<CheckOptions, 'send' | 'now' | 'newId'> {
  /** Writes a line to standard output, or to standard error. */
  print: (line: string) => void;
  complain: (line: string) => void;
  /** Of the terminal, in characters. */
  width?: number | undefined;
}

const usage = `npm run conformance -- BASE_URL [--model ID] [--embedding-model ID] [--json]

Checks a gateway against the API description with about 17 small requests and prints the findings.
BASE_URL is the gateway's origin; the default is GATEWAY_BASE_URL. The key is read from GATEWAY_API_KEY,
in the environment or in .env.local.
Exits with 0 if nothing contradicts the specification, with 1 if something does.`;

interface Arguments {
  baseUrl?: string;
  model?: string;
  embeddingModel?: string;
  asJson: boolean;
}

/** The arguments, or the sentence that says which one is wrong. */
function readArguments(given: readonly string[]): Arguments | string {
  const found: Arguments = { asJson: false };
  for (let at = 0; at < given.length; at += 1) {
    const word = given[at] ?? '';
    if (word === '--json') found.asJson = true;
    else if (word === '--model' || word === '--embedding-model') {
      const value = given[(at += 1)];
      if (value === undefined || value === '') return `${word} needs a model ID.`;
      if (word === '--model') found.model = value;
      else found.embeddingModel = value;
    } else if (word.startsWith('-')) return `Unknown option: ${word}.`;
    else if (found.baseUrl === undefined) found.baseUrl = word;
    else return `Only one BASE_URL is allowed; ${word} is too many.`;
  }
  return found;
}

function isWebAddress(text: string): boolean {
  return URL.canParse(text) && /^https?:$/.test(new URL(text).protocol);
}

/** Resolves to the exit code: 0 without faults, 1 with, 2 where the command itself is wrong. */
export async function runConformance(
  given: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
  powers: CommandPowers,
): Promise<0 | 1 | 2> {
  if (given.includes('--help')) {
    powers.print(usage);
    return 0;
  }
  const wanted = readArguments(given);
  if (typeof wanted === 'string') {
    powers.complain(`${wanted}\n\n${usage}`);
    return 2;
  }
  const baseUrl = wanted.baseUrl ?? (environment['GATEWAY_BASE_URL'] || undefined);
  if (baseUrl === undefined || !isWebAddress(baseUrl)) {
    powers.complain(
      baseUrl === undefined
        ? `No BASE_URL given.\n\n${usage}`
        : `BASE_URL must be an http or https address, not ${baseUrl}.`,
    );
    return 2;
  }
  const rows: CheckRow[] = [];
  const key = environment['GATEWAY_API_KEY'] || undefined;
  const { model, embeddingModel } = wanted;
  const { send, now, newId, print, complain, width } = powers;
  const hidden = (text: string) => (key === undefined ? text : text.replaceAll(key, 'fk-…'));
  const calls = createDirectCalls({ baseUrl, key, send, now, newId });
  const whenRefused = key === undefined ? 'No key: set GATEWAY_API_KEY.' : undefined;
  for await (const found of checkGateway(calls, { model, embeddingModel, whenRefused })) {
    // A gateway may say the key back to us.
    const row = { ...found, detail: hidden(found.detail) };
    rows.push(row);
    if (wanted.asJson) continue;
    if (row.title === noKeyTitle) {
      complain(row.detail);
      return 2;
    }
    print(checkLine(row, width));
  }
  print(wanted.asJson ? JSON.stringify(rows, null, 2) : `\n${checkSummary(rows)}`);
  return countOf(rows, 'fault') === 0 ? 0 : 1;
}

/** Characters that would move the cursor or colour the rest of a terminal. */
const unprintable = /[\p{Cc}\p{Cf}\u2028\u2029]+/gu;

const widths = { verdict: 5, section: 4, about: 31, title: 31 };

/** One row as a line of the table. `width`: of the terminal; what is longer goes on below, indented. */
function checkLine(row: CheckRow, width = 120): string {
  const start = [
    row.verdict.padEnd(widths.verdict),
    row.section.padEnd(widths.section),
    row.about.padEnd(widths.about),
    row.title.padEnd(widths.title),
  ].join('  ');
  const room = width - start.length - 2;
  const grade = row.verdict === 'fault' ? `(${faultGrade(row)}) ` : '';
  const detail = grade + row.detail.replace(unprintable, ' ');
  if (room < 40) return `${start.trimEnd()}\n${' '.repeat(13)}${detail}`;
  const lines = [''];
  for (const word of detail.split(' ')) {
    const last = lines.at(-1) ?? '';
    if (last !== '' && last.length + word.length + 1 > room) lines.push(word);
    else lines[lines.length - 1] = last === '' ? word : `${last} ${word}`;
  }
  return `${start}  ${lines.join(`\n${' '.repeat(start.length + 2)}`)}`;
}

/** "31 pass, 6 notes, 2 faults: 1 breaks clients, 1 harmless. …" */
function checkSummary(rows: readonly CheckRow[]): string {
  const faults = rows.filter(({ verdict }) => verdict === 'fault');
  const notes = pluralize(countOf(rows, 'note'), 'note');
  const counts = `${countOf(rows, 'pass')} pass, ${notes}, ${faultWords(faults)}.`;
  const words =
    faults.length === 0
      ? 'Nothing contradicts the specification.'
      : 'Faults contradict the named section of the specification.';
  return `${counts} ${words} A note: the specification leaves it open.`;
}
