import { useMemo, useState } from 'react';

import {
  buildEmbeddingsCode,
  type EmbeddingsCodeLanguage,
} from '../../../conversation/code/code-embeddings.ts';
import { jsonStyle, formatLiteral } from '../../../conversation/code/code-literal.ts';
import { getModelDimensions } from '../../../embedding/items/model-dimensions.ts';
import { formatError } from '../../../lib/format-error.ts';
import { formatBytes, formatCount, formatDuration, pluralize } from '../../../lib/format.ts';
import { useAppServices } from '../../../state/contexts.tsx';
import { buildEmbeddingsRequest } from '../../../state/embedding/build-embeddings-request.ts';
import type { EmbeddingJob, Exchange } from '../../../state/embedding/embedding-job-types.ts';
import { createQuerySetup, readExtraFields } from '../../../state/lab/lab-fields.ts';
import { toEmbeddingInput, getJobSetup } from '../../../state/lab/lab-input.ts';
import { buildQueryInput, type DimensionsCheck as Check } from '../../../state/lab/lab-queries.ts';
import { getShownSet, modelSlots } from '../../../state/lab/lab-state.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { Segmented } from '../../../ui/controls/segmented.tsx';
import { Select } from '../../../ui/controls/select.tsx';
import { copyText } from '../../../ui/display/copy-text.ts';
import { Tag } from '../../../ui/display/tag.tsx';
import { Copy } from '../../../ui/late-icons.tsx';
import { describeFinding, severityLabels } from '../describe-finding.ts';
import { useJobState, useLab, useLabState } from '../hooks/use-lab.ts';
import { ViewEmptyState, ViewFrame } from '../views/view-frame.tsx';

const languageOptions: readonly { value: EmbeddingsCodeLanguage; label: string }[] = [
  { value: 'curl', label: 'curl' },
  { value: 'python', label: 'Python' },
  { value: 'typescript', label: 'TypeScript' },
];

const requestOptions = [
  { value: 'texts', label: 'Texts' },
  { value: 'query', label: 'Query' },
] as const;

const sectionClasses = 'flex max-w-[900px] flex-col items-start gap-1.5';
const edgeClasses = { note: 'border-line-2', repaired: 'border-needle', fault: 'border-err' } as const;

/** Shows the requests and responses of a job and the findings in them. */
export function WireView() {
  const activeJob = useLabState((state) => state.jobs[state.activeSlot ?? 'A']);
  return (
    <ViewFrame title="Wire">
      <div
        className="flex min-h-0 flex-col gap-5 overflow-auto px-4 pt-1 pb-5 text-13"
        role="region"
        tabIndex={0}
        aria-label="Wire details"
      >
        {activeJob ? (
          <JobWire job={activeJob} />
        ) : (
          <ViewEmptyState>Embed some texts to see every byte sent and received.</ViewEmptyState>
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
    modelSlots.some((slot) => jobs[slot] === job && (sets[slot]?.sameVector.size ?? 0) > 0),
  );
  const [pickedId, setPickedId] = useState<string>();
  const selectedExchange = exchanges.find(({ requestId }) => requestId === pickedId) ?? exchanges.at(-1);
  const sentText = useMemo(
    () => (selectedExchange ? formatLiteral(selectedExchange.request, jsonStyle) : ''),
    [selectedExchange],
  );
  if (!selectedExchange)
    return <ViewEmptyState>No request was needed. All vectors were stored already.</ViewEmptyState>;
  return (
    <>
      <section className={sectionClasses} aria-label="Findings">
        <h3 className="text-12 font-semibold">Findings</h3>
        {exchanges.every(({ response }) => response === undefined) ? (
          <p>No response with vectors was received.</p>
        ) : findings.length === 0 && !hasSameVectors ? (
          <p>
            No problems in {pluralize(requests, 'response')}: one vector of{' '}
            {formatCount(selectedExchange.response?.length ?? 0)} numbers per text, matched by index.
          </p>
        ) : (
          <ul className="grid gap-2.5">
            {hasSameVectors && (
              <li className={`border-l-[3px] pl-2.5 ${edgeClasses.note}`}>
                <b>Different texts have the same vector</b> <Tag>{severityLabels.note}</Tag>
              </li>
            )}
            {findings.map((finding) => {
              const findingText = describeFinding(finding.kind, finding.expected, finding.received);
              return (
                <li
                  key={`${finding.kind} ${finding.severity}`}
                  className={`border-l-[3px] pl-2.5 [&>p]:text-ink-2 ${edgeClasses[finding.severity]}`}
                >
                  <b>{findingText.title}</b> <Tag>{severityLabels[finding.severity]}</Tag>
                  <p>
                    {findingText.description}
                    {finding.inputs.length > 0 && ` Affects ${pluralize(finding.inputs.length, 'text')}.`}
                  </p>
                </li>
              );
            })}
          </ul>
        )}
      </section>
      <section className={sectionClasses} aria-label="Request and response">
        <h3 className="text-12 font-semibold">
          Request and response{' '}
          {exchanges.length > 1 && (
            <Select
              label="Request"
              value={selectedExchange.requestId}
              options={exchanges.map((exchange, index) => ({
                value: exchange.requestId,
                label: `${formatCount(requests - exchanges.length + index + 1)} of ${formatCount(requests)}`,
              }))}
              onChange={setPickedId}
            />
          )}
        </h3>
        <ExchangeDetails exchange={selectedExchange} />
        <CodeBlock label="Sent" text={sentText} displayedText={truncateBody(sentText)} />
        <CodeBlock
          label="Received"
          text={getBody(selectedExchange)}
          displayedText={truncateBody(getBody(selectedExchange))}
        />
      </section>
    </>
  );
}

function ExchangeDetails({ exchange: { response, error, requestId, request } }: { exchange: Exchange }) {
  const details: [string, string][] = [
    ['status', String(response?.status ?? error?.status ?? 'none')],
    ['request ID', response?.requestId ?? requestId],
    [
      'inputs',
      formatCount(
        Array.isArray(request.input) && typeof request.input[0] !== 'number' ? request.input.length : 1,
      ),
    ],
  ];
  if (response) {
    const [latency, decodeTime] = [formatDuration(response.latencyMs), formatDuration(response.decodeMs)];
    const dimensions = response.length ?? 0;
    details.push(
      ['response size', formatBytes(response.rawLength)],
      ['duration', `${latency.number} ${latency.unit}`],
      ['decoded in', response.decodeMs < 1 ? 'under 1 ms' : `${decodeTime.number} ${decodeTime.unit}`],
      ['format', `${response.encoding}, ${formatCount(dimensions)} numbers per vector`],
    );
  }
  return (
    <dl className="flex flex-wrap gap-x-5 gap-y-1.5">
      {details.map(([name, value]) => (
        <div key={name}>
          <dt className="text-11 text-ink-3">{name}</dt>
          <dd className="text-13 font-medium wrap-anywhere">{value}</dd>
        </div>
      ))}
    </dl>
  );
}

/** The request that the main button will send, or the most recent request, as code. */
function CallAsCode() {
  const input = useLabState((state) => state.input);
  const items = useLabState((state) => state.parsedInput.items);
  const find = useLabState((state) => state.find);
  const { resolveName } = useAppServices().gateways;
  const [language, setLanguage] = useState<EmbeddingsCodeLanguage>('curl');
  const [requestKind, setRequestKind] = useState<'texts' | 'query'>('texts');
  const setup = getJobSetup(input, 'A', resolveName);
  if (!setup || items.length === 0) return null;
  const querySetup =
    find.query.trim() === ''
      ? undefined
      : createQuerySetup(setup, readExtraFields(find.fields), input.leftOut);
  const request =
    querySetup && requestKind === 'query'
      ? buildEmbeddingsRequest(querySetup, [buildQueryInput(find.query.trim(), find.template)])
      : buildEmbeddingsRequest(setup, items.map(toEmbeddingInput));
  const code = buildEmbeddingsCode(language, request);
  return (
    <section className={sectionClasses} aria-label="Code">
      <h3 className="text-12 font-semibold">Code for this request</h3>
      <div className="flex flex-wrap gap-x-3 gap-y-1.5">
        <Segmented label="Language" value={language} choices={languageOptions} onChange={setLanguage} />
        {querySetup && (
          <Segmented
            label="Request for"
            value={requestKind}
            choices={requestOptions}
            onChange={setRequestKind}
          />
        )}
      </div>
      <CodeBlock
        label={languageOptions.find(({ value }) => value === language)?.label ?? language}
        text={code}
      />
    </section>
  );
}

function getBody({ response, error }: Exchange): string {
  if (!response) return error?.raw ?? error?.message ?? '';
  const omittedBytes = response.rawLength - response.raw.length;
  return omittedBytes > 0 ? `${response.raw}\n… ${formatBytes(omittedBytes)} more` : response.raw;
}

const maxBodyChars = 4000;

function truncateBody(text: string): string {
  return text.length <= maxBodyChars
    ? text
    : `${text.slice(0, maxBodyChars)}\n… ${formatBytes(text.length - maxBodyChars)} more`;
}

/** Plain text to read and copy. */
function CodeBlock({
  label,
  text,
  displayedText = text,
}: {
  label: string;
  text: string;
  displayedText?: string;
}) {
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
        {displayedText}
      </pre>
    </div>
  );
}

/** Minimum cosine at which vectors count as equal; tolerates bfloat16 rounding and differences between batches. */
const minSameCosine = 0.999;

/**
 * Compares vectors that the server shortened (`dimensions`) with truncated full vectors, to show whether the views are
 * valid for them.
 */
function CutCheck() {
  const { verifyDimensions } = useLab();
  const set = useLabState(getShownSet);
  const [pickedSize, setPickedSize] = useState(256);
  const [result, setResult] = useState<{ version: number; check?: Check; problem?: string }>();
  const [isChecking, setIsChecking] = useState(false);
  const sizes = set
    ? (getModelDimensions(set.model)?.values ?? []).filter((value) => value < set.dimensions)
    : [];
  if (!set || sizes.length === 0) return null;
  const size = sizes.includes(pickedSize) ? pickedSize : (sizes[0] ?? pickedSize);
  const currentResult = result?.version === set.version ? result : undefined;

  const runCheck = async () => {
    setIsChecking(true);
    try {
      setResult({ version: set.version, check: await verifyDimensions(set.slot, size) });
    } catch (error) {
      setResult({ version: set.version, problem: formatError(error) });
    } finally {
      setIsChecking(false);
    }
  };

  return (
    <section className={sectionClasses} aria-label="Server truncation">
      <h3 className="text-12 font-semibold">Does the server truncate vectors like the views?</h3>
      <p>
        The views truncate vectors of {formatCount(set.dimensions)} numbers and rescale them to length 1. One
        request with up to 8 texts tests whether the server does the same.
      </p>
      <div className="inline-flex min-w-0 items-center gap-1.5 text-12">
        <Select
          label="Size to check"
          value={String(size)}
          options={sizes.map((value) => ({ value: String(value), label: formatCount(value) }))}
          onChange={(value) => setPickedSize(Number(value))}
        />
        <Button size="small" disabled={isChecking} onClick={() => void runCheck()}>
          {isChecking ? 'Checking…' : 'Check with 1 request'}
        </Button>
      </div>
      <p role="status">
        {currentResult?.check ? describeCheck(currentResult.check, set.dimensions) : currentResult?.problem}
      </p>
    </section>
  );
}

function describeCheck({ dimensions, textCount, minCosine }: Check, fullDimensions: number): string {
  const cosine = minCosine >= 0.999995 ? 'over 0.99999' : `at least ${minCosine.toFixed(5)}`;
  return minCosine >= minSameCosine
    ? `Yes: for ${pluralize(textCount, 'text')}, the server returns the first ${formatCount(dimensions)} of ${formatCount(fullDimensions)} dimensions (cosine ${cosine}).`
    : `No: the lowest cosine for ${pluralize(textCount, 'text')} is ${minCosine.toFixed(5)}. The views at ${formatCount(dimensions)} dimensions do not apply to this server.`;
}
