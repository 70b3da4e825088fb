/** Command-line interface of the check: arguments, table and exit code. */
import { pluralize } from '../../lib/format.ts';
import { createDirectCheckClient, type CheckOptions, type CheckRow } from './conformance-check-client.ts';
import { checkGateway, noKeyTitle } from './conformance-check.ts';
import { countRuleResults, getFaultSeverity, formatFaultCount } from './conformance-finding.ts';

export interface CommandIo extends Pick<CheckOptions, 'send' | 'now' | 'newId'> {
  /** Writes a line to standard output; `printError` writes to standard error. */
  print: (line: string) => void;
  printError: (line: string) => void;
  /** Width of the terminal in characters. */
  width?: number | undefined;
}

const usage = `npm run conformance -- BASE_URL [--model ID] [--embedding-model ID] [--json]

Checks a gateway against the API description with about 17 small requests and prints the findings.
BASE_URL is the gateway's origin; the default is GATEWAY_BASE_URL. The key is read from GATEWAY_API_KEY,
in the environment or in .env.local.
Exits with 0 if nothing contradicts the specification, otherwise with 1.`;

interface ConformanceOptions {
  baseUrl?: string;
  model?: string;
  embeddingModel?: string;
  asJson: boolean;
}

/** Returns the parsed arguments, or an error message. */
function parseArguments(args: readonly string[]): ConformanceOptions | string {
  const options: ConformanceOptions = { asJson: false };
  for (let index = 0; index < args.length; index += 1) {
    const arg = args[index] ?? '';
    if (arg === '--json') options.asJson = true;
    else if (arg === '--model' || arg === '--embedding-model') {
      const value = args[(index += 1)];
      if (value === undefined || value === '') return `${arg} needs a model ID.`;
      if (arg === '--model') options.model = value;
      else options.embeddingModel = value;
    } else if (arg.startsWith('-')) return `Unknown option: ${arg}.`;
    else if (options.baseUrl === undefined) options.baseUrl = arg;
    else return `Only one BASE_URL is allowed. Remove ${arg}.`;
  }
  return options;
}

function isWebAddress(text: string): boolean {
  return URL.canParse(text) && /^https?:$/.test(new URL(text).protocol);
}

/** Resolves to the exit code: 0 without faults, 1 with faults, 2 for invalid usage. */
export async function runConformance(
  args: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
  io: CommandIo,
): Promise<0 | 1 | 2> {
  if (args.includes('--help')) {
    io.print(usage);
    return 0;
  }
  const options = parseArguments(args);
  if (typeof options === 'string') {
    io.printError(`${options}\n\n${usage}`);
    return 2;
  }
  const baseUrl = options.baseUrl ?? (environment['GATEWAY_BASE_URL'] || undefined);
  if (baseUrl === undefined || !isWebAddress(baseUrl)) {
    io.printError(
      baseUrl === undefined
        ? `No BASE_URL given.\n\n${usage}`
        : `BASE_URL must be an http or https address, not ${baseUrl}.`,
    );
    return 2;
  }
  const rows: CheckRow[] = [];
  const key = environment['GATEWAY_API_KEY'] || undefined;
  const { model, embeddingModel } = options;
  const { send, now, newId, print, printError, width } = io;
  const redactKey = (text: string) => (key === undefined ? text : text.replaceAll(key, 'fk-…'));
  const client = createDirectCheckClient({ baseUrl, key, send, now, newId });
  const keyRejectedText = key === undefined ? 'No key. Set GATEWAY_API_KEY.' : undefined;
  for await (const foundRow of checkGateway(client, { model, embeddingModel, keyRejectedText })) {
    // The gateway may echo the key.
    const row = { ...foundRow, detail: redactKey(foundRow.detail) };
    rows.push(row);
    if (options.asJson) continue;
    if (row.title === noKeyTitle) {
      printError(row.detail);
      return 2;
    }
    print(formatCheckLine(row, width));
  }
  print(options.asJson ? JSON.stringify(rows, null, 2) : `\n${formatCheckSummary(rows)}`);
  return countRuleResults(rows, 'fault') === 0 ? 0 : 1;
}

/** Characters that could move the cursor or change colours in the terminal. */
const unprintableChars = /[\p{Cc}\p{Cf}\u2028\u2029]+/gu;

const columnWidths = { verdict: 5, section: 4, about: 31, title: 31 };

/** Formats one row of the table. Text beyond `width` (terminal width in characters) is wrapped and indented. */
function formatCheckLine(row: CheckRow, width = 120): string {
  const prefix = [
    row.verdict.padEnd(columnWidths.verdict),
    row.section.padEnd(columnWidths.section),
    row.about.padEnd(columnWidths.about),
    row.title.padEnd(columnWidths.title),
  ].join('  ');
  const detailWidth = width - prefix.length - 2;
  const severityPrefix = row.verdict === 'fault' ? `(${getFaultSeverity(row)}) ` : '';
  const detail = severityPrefix + row.detail.replace(unprintableChars, ' ');
  if (detailWidth < 40) return `${prefix.trimEnd()}\n${' '.repeat(13)}${detail}`;
  const lines = [''];
  for (const word of detail.split(' ')) {
    const last = lines.at(-1) ?? '';
    if (last !== '' && last.length + word.length + 1 > detailWidth) lines.push(word);
    else lines[lines.length - 1] = last === '' ? word : `${last} ${word}`;
  }
  return `${prefix}  ${lines.join(`\n${' '.repeat(prefix.length + 2)}`)}`;
}

/** Returns a summary such as "31 passed, 6 notes, 2 faults: 1 breaks clients, 1 harmless. …" */
function formatCheckSummary(rows: readonly CheckRow[]): string {
  const faults = rows.filter(({ verdict }) => verdict === 'fault');
  const notes = pluralize(countRuleResults(rows, 'note'), 'note');
  const counts = `${countRuleResults(rows, 'pass')} passed, ${notes}, ${formatFaultCount(faults)}.`;
  const conclusion =
    faults.length === 0
      ? 'Nothing contradicts the specification.'
      : 'Faults contradict the named section of the specification.';
  return `${counts} ${conclusion} Notes are left open by the specification.`;
}
