import { useState } from 'react';

import { getContentText } from '../../../conversation/request/request.ts';
import type { Message } from '../../../gateway/wire.ts';
import { formatBytes, formatCount, pluralize } from '../../../lib/format.ts';
import { sanitizeForSentence } from '../../../lib/text/safe-text.ts';
import { runOrTell, tellBriefly } from '../../../state/notices.ts';
import { usePlayground } from '../../../state/use-playground.tsx';
import { readingWords, type CaseChoices, type ShownReading } from '../../../trials/files/case-file-result.ts';
import { guessExpectedField } from '../../../trials/files/expected-field.ts';
import { caseCount, limits } from '../../../trials/trial.ts';
import { classes } from '../../../ui/cn.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { areaLooks } from '../../../ui/controls/field.tsx';
import { Select } from '../../../ui/controls/select.tsx';
import { TextArea } from '../../../ui/controls/text-area.tsx';
import { chooseFiles } from '../../../ui/display/open-file-dialog.ts';
import { CheckField } from '../../../ui/files/check-field.tsx';
import { TableOptions } from '../../../ui/files/table-options.tsx';
import { CircleAlert, FileUp } from '../../../ui/icons.tsx';
import { Dialog } from '../../../ui/overlays/dialog.tsx';
import { newCheck } from '../checks/describe-check.ts';
import { useTrial, useTrialViewStore, useWholeTrial } from '../use-trial.ts';
import { useCaseReading, type CasesRead } from './use-case-file.ts';

const shownOdd = 100;

/** Cases from a file or from what is pasted; what is odd is named by its line before anything is added. */
export function ImportDialog() {
  const playground = usePlayground();
  const trial = useTrial();
  const view = useTrialViewStore();
  const { trial: data } = useWholeTrial();
  const [text, setText] = useState('');
  const [file, setFile] = useState<File>();
  const [choices, setChoices] = useState<CaseChoices>({});
  const [checked, setChecked] = useState<string>();
  const source = file ?? text;
  const { answer, isCurrent = false } = useCaseReading(source, choices) ?? {};
  const [adding, setAdding] = useState<ShownReading>();
  const read = answer?.ok === true ? answer : undefined;
  const reading = read?.reading;
  const selectFile = (chosen: File | undefined) => {
    setFile(chosen);
    setChoices({});
  };
  const close = () => view.setState({ dialog: undefined });
  const room = limits.cases - caseCount(data);
  const isTooMany = reading !== undefined && reading.counts.cases > room;

  const add = async (from: CasesRead & { ok: true }) => {
    setAdding(from.reading);
    const { added, refused, reason } = await from
      .take()
      .then((cases) => trial.addCases(cases, from.reading.fields))
      .finally(() => setAdding(undefined));
    if (reason !== undefined) throw new Error(reason);
    if (checked !== undefined && from.reading.fields.includes(checked))
      trial.addCheck({ ...newCheck('equals', data), expected: { value: checked } });
    close();
    const left =
      refused.length > 0 ? ` ${pluralize(refused.length, 'case')} of the earlier trial left out.` : '';
    tellBriefly(playground.notices, `${pluralize(added, 'case')} added.${left}`);
  };

  return (
    <Dialog
      title="Import cases"
      wide
      onClose={close}
      footer={
        <>
          <span className="min-w-0 flex-1 text-12 text-ink-3">
            {reading
              ? readingWords(reading)
              : source === ''
                ? 'Up to 50 MB, 10,000 cases, 64 values a case.'
                : 'Reading'}
          </span>
          <Button
            look="ink"
            disabled={!reading || !isCurrent || reading.counts.cases === 0 || isTooMany || adding === reading}
            onClick={() => read && void runOrTell(playground.notices, () => add(read))}
          >
            {reading && reading.counts.odd > 0 ? 'Use these' : 'Add'}{' '}
            {pluralize(reading?.counts.cases ?? 0, 'case')}
          </Button>
        </>
      }
    >
      <div className="grid gap-3">
        <div className="flex flex-wrap items-center gap-2">
          <Button
            onClick={() =>
              chooseFiles(
                '.csv,.tsv,.tab,.txt,.json,.jsonl,.ndjson,text/*,application/json',
                ([chosen]) => chosen && selectFile(chosen),
                false,
              )
            }
          >
            <FileUp className="icon-14" aria-hidden />
            Choose a file
          </Button>
          {file && (
            <span className="text-12 text-ink-2">
              {file.name}, {formatBytes(file.size)}{' '}
              <button type="button" className="underline" onClick={() => selectFile(undefined)}>
                Take it out
              </button>
            </span>
          )}
        </div>
        {!file && (
          <TextArea
            aria-label="Rows to import"
            className={classes(areaLooks.area, 'max-h-60 min-h-30')}
            dir="auto"
            spellCheck={false}
            placeholder={'ticket,team\n"I was charged twice for order 20418",billing'}
            value={text}
            onText={setText}
          />
        )}
        {answer?.ok === false && <p className="text-12 text-err-ink">Could not read it: {answer.reason}</p>}
        {reading && (
          <ReadAs
            reading={reading}
            checked={checked}
            onChoices={(change) => setChoices({ ...choices, ...change })}
            onChecked={setChecked}
          />
        )}
        {isTooMany && (
          <p className="text-12 text-err-ink">
            {pluralize(reading.counts.cases, 'case')} are more than the {formatCount(room)} that the trial has
            room for.
          </p>
        )}
        {reading && reading.odd.length > 0 && <OddLines reading={reading} />}
        {reading && reading.cases.length > 0 && <Preview reading={reading} />}
      </div>
    </Dialog>
  );
}

/** Shows how the source was read. Each guess can be changed before anything is added. */
function ReadAs({
  reading,
  checked,
  onChoices,
  onChecked,
}: {
  reading: ShownReading;
  /** The value that a new check compares answers with. */
  checked: string | undefined;
  onChoices: (change: CaseChoices) => void;
  onChecked: (field: string | undefined) => void;
}) {
  const { kind, fields, histories, notes, choices } = reading;
  const { history, expectsLast } = choices;
  const expected = checked ?? guessExpectedField(fields) ?? fields.at(-1);
  const isLines = choices.format === 'lines';
  return (
    <div role="group" aria-label="How it was read" className="grid gap-1.5">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1.5">
        <TableOptions reading={reading} onChange={onChoices} />
        {history !== undefined && (
          <span className="inline-flex min-w-0 items-center gap-1.5 text-12">
            Earlier messages
            <Select
              label="Column of messages"
              value={history}
              options={[{ value: '', label: 'none' }, ...histories.map((value) => ({ value, label: value }))]}
              onChange={(next) => onChoices({ history: next })}
            />
          </span>
        )}
        {expectsLast !== undefined && (
          <CheckField
            label="Last assistant message is the expected answer"
            checked={expectsLast}
            onChange={(next) => onChoices({ expectsLast: next })}
          />
        )}
        {expected !== undefined && (fields.length > 1 || expectsLast === true) && (
          <span className="inline-flex min-w-0 items-center gap-1.5 text-12">
            <CheckField
              label="Add a check that answers equal"
              checked={checked !== undefined}
              onChange={(next) => onChecked(next ? expected : undefined)}
            />
            <Select
              label="Expected answer"
              value={expected}
              options={fields.map((value) => ({ value, label: value }))}
              onChange={onChecked}
            />
          </span>
        )}
      </div>
      <p className="text-12 text-pretty text-ink-2" role="status">
        {isLines
          ? 'Read as plain lines: each line is one case.'
          : `Read as ${kind} with ${pluralize(fields.length, 'column')}: ${fields.map((field) => sanitizeForSentence(field, 40)).join(', ')}.`}{' '}
        {notes.join(' ')}
      </p>
    </div>
  );
}

function OddLines({ reading }: { reading: ShownReading }) {
  const [showsText, setShowsText] = useState(false);
  const { odd, counts } = reading;
  return (
    <div
      role="group"
      aria-label="Odd lines"
      className="rounded-3 border border-warn/60 bg-warn-wash px-4 py-2.5"
    >
      <p className="flex items-center gap-2 font-[600] text-warn-ink">
        <CircleAlert className="icon-16" aria-hidden />
        {readingWords(reading)}
      </p>
      <ul
        className="mt-1 max-h-40 overflow-y-auto text-12 text-ink-2"
        tabIndex={0}
        aria-label="Lines left out"
      >
        {odd.slice(0, shownOdd).map(({ line, reason, text }) => (
          <li key={line}>
            {reason}
            {showsText && text !== '' && (
              <span className="block truncate font-mono text-mono-11 text-ink-3" dir="auto">
                {text}
              </span>
            )}
          </li>
        ))}
        {counts.odd > shownOdd && <li>And {formatCount(counts.odd - shownOdd)} more.</li>}
      </ul>
      <Button size="small" className="mt-2" aria-pressed={showsText} onClick={() => setShowsText(!showsText)}>
        Show the lines
      </Button>
    </div>
  );
}

function Preview({ reading: { fields, cases } }: { reading: ShownReading }) {
  const hasHistory = cases.some(({ history }) => history !== undefined);
  return (
    <div className="overflow-x-auto" tabIndex={0} role="region" aria-label="First cases">
      <table aria-label="First cases" className="w-full border-collapse text-12">
        <thead>
          <tr className="border-b border-line-2 text-left text-11 text-ink-3">
            {hasHistory && (
              <th scope="col" className="py-1 pr-4 font-[500]">
                Earlier messages
              </th>
            )}
            {fields.map((field) => (
              <th key={field} scope="col" className="py-1 pr-4 font-[500]">
                {field}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {cases.map(({ values, history, line }) => (
            <tr key={line} className="border-b border-line">
              {hasHistory && (
                <td className="max-w-80 truncate py-1 pr-4" dir="auto">
                  {describeHistory(history)}
                </td>
              )}
              {fields.map((field) => (
                <td key={field} className="max-w-80 truncate py-1 pr-4" dir="auto">
                  {Object.hasOwn(values, field) ? values[field] : ''}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** Describes a history by its number of messages and the text of the last. */
function describeHistory(messages: readonly Message[] = []): string {
  const last = messages.at(-1);
  if (!last) return '';
  return `${messages.length}, last: ${sanitizeForSentence(getContentText(last.content))}`;
}
