import { CircleAlert, Square } from 'lucide-react';

import type { ErrorReport } from '../../gateway/errors.ts';
import { formatCount, formatDuration, plural } from '../../lib/format.ts';
import { Button } from '../../ui/button.tsx';
import { ModelPicker } from '../models/model-picker.tsx';
import type { EmbeddedTexts } from './embeddings-store.ts';
import { SimilarityTable } from './similarity-table.tsx';
import { useEmbeddings } from './use-embeddings.ts';

import './embeddings.css';

const example = `Parcel shows delivered but nothing arrived
Where is my order, it is two days late
How long does a refund take?
I returned the boots and heard nothing
The reset email never arrives
Locked out after too many tries`;

/** Texts in, one a line; how close each is to each other, out. */
export function EmbeddingsScreen() {
  const { text, model, texts, result, problem, running, embed, stop, setText, setModel } = useEmbeddings();
  const why = texts.length === 0 ? 'Write at least one text.' : model === '' ? 'Choose a model.' : undefined;

  return (
    <main className="embeddings">
      <div className="bar">
        <h1>Embeddings</h1>
        <ModelPicker value={model} onPick={setModel} kind="embedding" />
        <span className="grow" />
        {result && <Facts result={result} />}
      </div>
      <section className="texts" aria-label="Texts to embed">
        <label htmlFor="texts">Texts</label>
        <textarea
          id="texts"
          aria-describedby="texts-hint"
          className="area"
          dir="auto"
          placeholder="One text a line"
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) void embed();
          }}
        />
        <footer>
          <span id="texts-hint" className="mut">
            {why ?? `${plural(texts.length, 'text')}, one a line`}
          </span>
          <span className="grow" />
          {text === '' && (
            <Button look="quiet" onClick={() => setText(example)}>
              Use an example
            </Button>
          )}
          {running ? (
            <Button look="stop" size="big" onClick={stop}>
              <Square className="i s" aria-hidden />
              Stop
            </Button>
          ) : (
            <Button look="ink" size="big" disabled={why !== undefined} onClick={() => void embed()}>
              Embed
              {texts.length > 0 && ` ${plural(texts.length, 'text')}`}
            </Button>
          )}
        </footer>
      </section>
      <section className="screen" aria-busy={running !== undefined}>
        {problem && <Problem report={problem} onRetry={() => void embed()} />}
        {result ? (
          <SimilarityTable texts={result.texts} vectors={result.answer.vectors} />
        ) : (
          !problem && (
            <div className="blank">
              <h2>See which texts mean the same</h2>
              <p>
                Each text becomes a vector. The cosine of two vectors says how close they are: 1 is the same
                direction, 0 has nothing in common.
              </p>
            </div>
          )
        )}
      </section>
    </main>
  );
}

function Facts({ result: { texts, answer } }: { result: EmbeddedTexts }) {
  const took = formatDuration(answer.latencyMs);
  return (
    <div role="group" aria-label="Metrics">
      <dl className="mx">
        <div>
          <dt>Texts</dt>
          <dd>{formatCount(texts.length)}</dd>
        </div>
        <div>
          <dt>Dimensions</dt>
          <dd>{formatCount(answer.vectors[0]?.length ?? 0)}</dd>
        </div>
        <div>
          <dt>Tokens</dt>
          <dd>
            {answer.usage?.promptTokens === undefined
              ? 'not reported'
              : formatCount(answer.usage.promptTokens)}
          </dd>
        </div>
        <div>
          <dt>Total</dt>
          <dd>
            {took.number}
            <small>{took.unit}</small>
          </dd>
        </div>
      </dl>
    </div>
  );
}

function Problem({ report, onRetry }: { report: ErrorReport; onRetry: () => void }) {
  return (
    <div className="card err problem" role="group" aria-label="Error">
      <h2>
        <CircleAlert className="i" aria-hidden />
        The texts were not embedded
      </h2>
      <p>{report.message}</p>
      <p className="mut">Your texts are kept.</p>
      <dl>
        {report.status !== undefined && (
          <>
            <dt>status</dt>
            <dd>{report.status}</dd>
          </>
        )}
        {report.type !== undefined && (
          <>
            <dt>type</dt>
            <dd>{report.type}</dd>
          </>
        )}
        {report.code !== undefined && (
          <>
            <dt>code</dt>
            <dd>{report.code}</dd>
          </>
        )}
        {report.requestId !== undefined && (
          <>
            <dt>request</dt>
            <dd>{report.requestId}</dd>
          </>
        )}
      </dl>
      <Button size="small" onClick={onRetry}>
        Retry
      </Button>
    </div>
  );
}
