/** Checks a gateway from the command line: table and exit code. */
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

export interface ConformanceOptions {
  baseUrl?: string | undefined;
  model?: string | undefined;
  embeddingModel?: string | undefined;
  /** True to print the findings as JSON. */
  json?: boolean;
}

function isWebAddress(text: string): boolean {
  return URL.canParse(text) && /^https?:$/.test(new URL(text).protocol);
}

/** Resolves to the exit code: 0 without faults, 1 with faults, 2 without a usable address or key. */
export async function runConformance(
  options: ConformanceOptions,
  getSetting: (name: string) => string | undefined,
  io: CommandIo,
): Promise<0 | 1 | 2> {
  const baseUrl = options.baseUrl ?? getSetting('GATEWAY_BASE_URL');
  if (baseUrl === undefined || !isWebAddress(baseUrl)) {
    io.printError(
      baseUrl === undefined
        ? 'No address given. Name the origin of the gateway, or set GATEWAY_BASE_URL.'
        : `The address must begin with http:// or https://: ${baseUrl}.`,
    );
    return 2;
  }
  const rows: CheckRow[] = [];
  const key = getSetting('GATEWAY_API_KEY');
  const { model, embeddingModel } = options;
  const { send, now, newId, print, printError, width } = io;
  const redactKey = (text: string) => (key === undefined ? text : text.replaceAll(key, 'fk-…'));
  const client = createDirectCheckClient({ baseUrl, key, send, now, newId });
  const keyRejectedText = key === undefined ? 'No key. Set GATEWAY_API_KEY.' : undefined;
  for await (const foundRow of checkGateway(client, { model, embeddingModel, keyRejectedText })) {
    // The gateway may echo the key.
    const row = { ...foundRow, detail: redactKey(foundRow.detail) };
    rows.push(row);
    if (options.json) continue;
    if (row.title === noKeyTitle) {
      printError(row.detail);
      return 2;
    }
    print(formatCheckLine(row, width));
  }
  print(options.json ? JSON.stringify(rows, null, 2) : `\n${formatCheckSummary(rows)}`);
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
