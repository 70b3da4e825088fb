import { Copy } from 'lucide-react';
import { useState } from 'react';

import { requestLines } from '../../../conversation/trace/trace-request.ts';
import type { ChatRequest } from '../../../gateway/wire.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { Legend } from '../../../ui/display/card.tsx';
import { copyText } from '../../../ui/display/copy-text.ts';
import { TierMark } from '../../../ui/display/tier-mark.tsx';
import { CodeView } from '../code/code-view.tsx';

interface RequestTabProps {
  body: ChatRequest;
  /** What we sent as X-Request-ID; absent where nothing was sent yet. */
  requestId: string | undefined;
}

const fills = { portable: 'full', documented: 'half', 'passed through': 'open' } as const;

/** The body as it was sent, how portable each of its fields is, and the same call as code. */
export function RequestTab({ body, requestId }: RequestTabProps) {
  const [whole, setWhole] = useState(false);
  return (
    <div className="two code-two">
      <section className="left rq" aria-label="Request body" tabIndex={0}>
        <header className="fl">
          <h3>Request body</h3>
          <span className="grow" />
          <Button size="small" look="quiet" aria-pressed={whole} onClick={() => setWhole(!whole)}>
            {whole ? 'Fold messages' : 'Show all'}
          </Button>
          <Button size="small" look="quiet" onClick={() => void copyText(JSON.stringify(body, null, 2))}>
            <Copy className="i s" aria-hidden />
            Copy
          </Button>
        </header>
        <ol className="rq-body" tabIndex={0} aria-label="Fields of the body">
          {requestLines(body, whole).map(({ depth, tokens, tier }, at) => (
            <li key={at}>
              <span className="gt">{tier && <TierMark fill={fills[tier]} label={tier} />}</span>
              <code>
                {'  '.repeat(depth)}
                {tokens.map(({ text, kind }, index) => (
                  <span key={index} className={`j-${kind}`}>
                    {text}
                  </span>
                ))}
              </code>
            </li>
          ))}
        </ol>
        <Legend>
          <span>
            <TierMark fill="full" />
            portable
          </span>
          <span>
            <TierMark fill="half" />
            documented
          </span>
          <span>
            <TierMark fill="open" />
            passed through
          </span>
        </Legend>
        <header className="fl hd2">
          <h3>{requestId === undefined ? 'Will be sent with' : 'Sent with'}</h3>
        </header>
        <dl className="hdr">
          <div>
            <dt>POST</dt>
            <dd>/v1/chat/completions</dd>
          </div>
          <div>
            <dt>authorization</dt>
            <dd>Bearer key, added by the Bench server if one is set</dd>
          </div>
          <div>
            <dt>content-type</dt>
            <dd>application/json</dd>
          </div>
          <div>
            <dt>x-request-id</dt>
            <dd>{requestId ?? 'new for each request'}</dd>
          </div>
        </dl>
      </section>
      <div className="right" role="group" aria-label="Code" tabIndex={0}>
        <CodeView body={body} />
      </div>
    </div>
  );
}
