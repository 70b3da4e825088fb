import { useMemo, useState } from 'react';

import {
  buildEmbeddingsCode,
  type EmbeddingsCodeLanguage,
} from '../../../conversation/code/code-embeddings.ts';
import { jsonStyle, formatLiteral } from '../../../conversation/code/code-literal.ts';
import { dimensionsOf } from '../../../embedding/items/model-dimensions.ts';
import { formatError } from '../../../lib/format-error.ts';
import { formatBytes, formatCount, formatDuration, pluralize } from '../../../lib/format.ts';
import { requestOf } from '../../../state/embedding/build-embeddings-request.ts';
import type { EmbeddingJob, Exchange } from '../../../state/embedding/embedding-job-types.ts';
import { createQuerySetup, readExtraFields } from '../../../state/lab/lab-fields.ts';
import { inputOf, setupOf } from '../../../state/lab/lab-input.ts';
import { queryInput, type CutCheck as Check } from '../../../state/lab/lab-queries.ts';
import { shownSet, slots } from '../../../state/lab/lab-state.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { Segmented } from '../../../ui/controls/segmented.tsx';
import { Select } from '../../../ui/controls/select.tsx';
import { copyText } from '../../../ui/display/copy-text.ts';
import { Tag } from '../../../ui/display/tag.tsx';
import { Copy } from '../../../ui/icons.tsx';
import { findingInWords, weightWords } from '../describe-finding.ts';
import { useJobState, useLab, useLabState } from '../hooks/use-lab.ts';
import { ViewBlank, ViewFrame } from '../views/view-frame.tsx';

const languages: readonly { value: EmbeddingsCodeLanguage; label: string }[] = [
  { value: 'curl', label: 'curl' },
  { value: 'python', label: 'Python' },
  { value: 'typescript', label: 'TypeScript' },
];

const requests = [
  { value: 'texts', label: 'Texts' },
  { value: 'query', label: 'Query' },
] as const;

const part = 'flex max-w-[900px] flex-col items-start gap-1.5';
const edges = { note: 'border-line-2', repaired: 'border-needle', fault: 'border-err' } as const;

/** Shows what went over the wire and what was found in it. */
export function WireView() {
  const shown = useLabState((state) => state.jobs[state.active ?? 'A']);
  return (
    <ViewFrame title="Wire">
      <div
        className="flex min-h-0 flex-col gap-5 overflow-auto px-4 pt-1 pb-5 text-13"
        role="region"
        tabIndex={0}
        aria-label="Wire details"
      >
        {shown ? (
          <JobWire job={shown} />
        ) : (
          <ViewBlank>Embed some texts to see every byte sent and received.</ViewBlank>
        )}
        <CutCheck />
        <CallAsCode />
      </div>
    </ViewFrame>
  );
}

function JobWire({ job }: { job: EmbeddingJob }) {
  const exchanges = useJobState(job, (state) => state.exchanges);
  const findings = useJobState(job, (state) => state.findings);
  const requests = useJobState(job, (state) => state.requests);
  const hasSameVectors = useLabState(({ jobs, sets }) =>
    slots.some((slot) => jobs[slot] === job && (sets[slot]?.sameVector.size ?? 0) > 0),
  );
  const [picked, setPicked] = useState<string>();
  const shown = exchanges.find(({ requestId }) => requestId === picked) ?? exchanges.at(-1);
  const sent = useMemo(() => (shown ? formatLiteral(shown.request, jsonStyle) : ''), [shown]);
  if (!shown) return <ViewBlank>No request needed: every vector was already stored.</ViewBlank>;
  return (
    <>
      <section className={part} aria-label="Findings">
        <h3 className="text-12 font-semibold">Findings</h3>
        {exchanges.every(({ answer }) => answer === undefined) ? (
          <p>No answer with vectors was received.</p>
        ) : findings.length === 0 && !hasSameVectors ? (
          <p>
            Nothing is wrong: {pluralize(requests, 'answer')} with one readable vector of{' '}
            {formatCount(shown.answer?.length ?? 0)} numbers for each text, matched by index.
          </p>
        ) : (
          <ul className="grid gap-2.5">
            {hasSameVectors && (
              <li className={`border-l-[3px] pl-2.5 ${edges.note}`}>
                <b>Different texts have the same vector</b> <Tag>{weightWords.note}</Tag>
              </li>
            )}
            {findings.map((finding) => {
              const words = findingInWords(finding.kind, finding.expected, finding.received);
              return (
                <li
                  key={`${finding.kind} ${finding.weight}`}
                  className={`border-l-[3px] pl-2.5 [&>p]:text-ink-2 ${edges[finding.weight]}`}
                >
                  <b>{words.title}</b> <Tag>{weightWords[finding.weight]}</Tag>
                  <p>
                    {words.about}
                    {finding.inputs.length > 0 && ` Affects ${pluralize(finding.inputs.length, 'text')}.`}
                  </p>
                </li>
              );
            })}
          </ul>
        )}
      </section>
      <section className={part} aria-label="Request and answer">
        <h3 className="text-12 font-semibold">
          Request and answer{' '}
          {exchanges.length > 1 && (
            <Select
              label="Which request"
              value={shown.requestId}
              options={exchanges.map((exchange, at) => ({
                value: exchange.requestId,
                label: `${formatCount(requests - exchanges.length + at + 1)} of ${formatCount(requests)}`,
              }))}
              onChange={setPicked}
            />
          )}
        </h3>
        <ExchangeFacts exchange={shown} />
        <CodeBlock label="Sent" text={sent} shown={shortened(sent)} />
        <CodeBlock label="Received" text={bodyOf(shown)} shown={shortened(bodyOf(shown))} />
      </section>
    </>
  );
}

function ExchangeFacts({ exchange: { answer, error, requestId, request } }: { exchange: Exchange }) {
  const facts: [string, string][] = [
    ['status', String(answer?.status ?? error?.status ?? 'none')],
    ['request id', answer?.requestId ?? requestId],
    [
      'inputs',
      formatCount(
        Array.isArray(request.input) && typeof request.input[0] !== 'number' ? request.input.length : 1,
      ),
    ],
  ];
  if (answer) {
    const [took, decoded] = [formatDuration(answer.latencyMs), formatDuration(answer.decodeMs)];
    const numbers = answer.length ?? 0;
    facts.push(
      ['answer', formatBytes(answer.rawLength)],
      ['took', `${took.number} ${took.unit}`],
      ['decoded in', answer.decodeMs < 1 ? 'under 1 ms' : `${decoded.number} ${decoded.unit}`],
      ['format', `${answer.encoding}, ${formatCount(numbers)} numbers per vector`],
    );
  }
  return (
    <dl className="flex flex-wrap gap-x-5 gap-y-1.5">
      {facts.map(([name, value]) => (
        <div key={name}>
          <dt className="text-11 text-ink-3">{name}</dt>
          <dd className="text-13 font-medium wrap-anywhere">{value}</dd>
        </div>
      ))}
    </dl>
  );
}

/** The call that the button would make, or the last one that was made. */
function CallAsCode() {
  const input = useLabState((state) => state.input);
  const items = useLabState((state) => state.reading.items);
  const find = useLabState((state) => state.find);
  const [language, setLanguage] = useState<EmbeddingsCodeLanguage>('curl');
  const [shown, setShown] = useState<'texts' | 'query'>('texts');
  const setup = setupOf(input, 'A');
  if (!setup || items.length === 0) return null;
  const ofQuery =
    find.query.trim() === ''
      ? undefined
      : createQuerySetup(setup, readExtraFields(find.fields), input.leftOut);
  const request =
    ofQuery && shown === 'query'
      ? requestOf(ofQuery, [queryInput(find.query.trim(), find.template)])
      : requestOf(setup, items.map(inputOf));
  const code = buildEmbeddingsCode(language, request);
  return (
    <section className={part} aria-label="Code">
      <h3 className="text-12 font-semibold">The call as code</h3>
      <div className="flex flex-wrap gap-x-3 gap-y-1.5">
        <Segmented label="Language" value={language} choices={languages} onChange={setLanguage} />
        {ofQuery && <Segmented label="Request for" value={shown} choices={requests} onChange={setShown} />}
      </div>
      <CodeBlock label={languages.find(({ value }) => value === language)?.label ?? language} text={code} />
    </section>
  );
}

function bodyOf({ answer, error }: Exchange): string {
  if (!answer) return error?.raw ?? error?.message ?? '';
  const left = answer.rawLength - answer.raw.length;
  return left > 0 ? `${answer.raw}\n… ${formatBytes(left)} more` : answer.raw;
}

const mostCharacters = 4000;

function shortened(text: string): string {
  return text.length <= mostCharacters
    ? text
    : `${text.slice(0, mostCharacters)}\n… ${formatBytes(text.length - mostCharacters)} more`;
}

/** A text as it is, to read and to copy. */
function CodeBlock({ label, text, shown = text }: { label: string; text: string; shown?: string }) {
  const [isCopied, setIsCopied] = useState(false);
  const copy = async () => {
    setIsCopied(await copyText(text));
    setTimeout(() => setIsCopied(false), 2000);
  };
  return (
    <div className="w-full">
      <header className="flex items-end justify-between pb-1">
        <h4 className="pt-1.5 text-11 text-ink-3">{label}</h4>
        <Button size="small" onClick={() => void copy()}>
          <Copy className="icon-14" aria-hidden />
          {isCopied ? 'Copied' : 'Copy'}
        </Button>
      </header>
      <pre
        className="max-h-80 overflow-auto rounded-2 border border-line bg-raised px-3 py-2.5 font-mono text-mono-12 wrap-anywhere whitespace-pre-wrap"
        tabIndex={0}
        role="region"
        aria-label={label}
      >
        {shown}
      </pre>
    </div>
  );
}

/** Leaves room for bfloat16 and for what a batch changes. */
const sameFrom = 0.999;

/** Whether the views may stand for the server: its own `dimensions` beside a cut of its full vectors. */
function CutCheck() {
  const { verifyCut } = useLab();
  const set = useLabState(shownSet);
  const [picked, setPicked] = useState(256);
  const [result, setResult] = useState<{ version: number; check?: Check; problem?: string }>();
  const [isAsking, setIsAsking] = useState(false);
  const sizes = set ? (dimensionsOf(set.model)?.values ?? []).filter((value) => value < set.dimensions) : [];
  if (!set || sizes.length === 0) return null;
  const size = sizes.includes(picked) ? picked : (sizes[0] ?? picked);
  const shown = result?.version === set.version ? result : undefined;

  const ask = async () => {
    setIsAsking(true);
    try {
      setResult({ version: set.version, check: await verifyCut(set.slot, size) });
    } catch (error) {
      setResult({ version: set.version, problem: formatError(error) });
    } finally {
      setIsAsking(false);
    }
  };

  return (
    <section className={part} aria-label="Server and cut">
      <h3 className="text-12 font-semibold">Does the server shorten vectors as the views do?</h3>
      <p>
        The views cut the {formatCount(set.dimensions)} numbers of each vector and scale what is left to
        length 1. One request with up to 8 texts shows whether the server does the same.
      </p>
      <div className="inline-flex min-w-0 items-center gap-1.5 text-12">
        <Select
          label="Size to check"
          value={String(size)}
          options={sizes.map((value) => ({ value: String(value), label: formatCount(value) }))}
          onChange={(value) => setPicked(Number(value))}
        />
        <Button size="small" disabled={isAsking} onClick={() => void ask()}>
          {isAsking ? 'Checking' : 'Check with 1 request'}
        </Button>
      </div>
      <p role="status">{shown?.check ? inWords(shown.check, set.dimensions) : shown?.problem}</p>
    </section>
  );
}

function inWords({ dimensions, texts, least }: Check, full: number): string {
  const cosine = least >= 0.999995 ? 'over 0.99999' : `at least ${least.toFixed(5)}`;
  return least >= sameFrom
    ? `The same: on ${pluralize(texts, 'text')} the server’s ${formatCount(dimensions)} dimensions are the first of its ${formatCount(full)}, cosine ${cosine}.`
    : `Not the same: the lowest cosine on ${pluralize(texts, 'text')} is ${least.toFixed(5)}. What the views show for ${formatCount(dimensions)} dimensions does not apply to this server.`;
}
