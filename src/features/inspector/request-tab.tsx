import { useState } from 'react';

import { buildRequestLines } from '../../conversation/trace/trace-request.ts';
import type { ChatRequest } from '../../gateway/wire.ts';
import { formatExactJson } from '../../lib/exact-json.ts';
import { Button } from '../../ui/controls/button.tsx';
import { Legend } from '../../ui/display/card.tsx';
import { copyText } from '../../ui/display/copy-text.ts';
import { TierMark } from '../../ui/display/tier-mark.tsx';
import { Copy } from '../../ui/late-icons.tsx';
import { JsonTokenView } from '../tools/json-token-view.tsx';
import { CodeView } from './code/code-view.tsx';
import { PanelColumn, DefinitionItem, DefinitionList, PanelHeader, TwoColumns } from './panel-layout.tsx';

interface RequestTabProps {
  body: ChatRequest;
  /** Value of X-Request-ID; absent if no request has been sent. */
  requestId: string | undefined;
  /** Name of the gateway; the first one if undefined. */
  gatewayName: string | undefined;
  /** Fields of the answer that are not sent back, because the tape does not identify the gateway that wrote them. */
  opaqueTapeFields?: readonly string[];
  onSendFields?: () => void;
}

const tierFills = { portable: 'full', documented: 'half', 'passed through': 'open' } as const;

/** Request body as sent, the portability of its fields, and the same request as code. */
export function RequestTab({
  body,
  requestId,
  gatewayName,
  opaqueTapeFields,
  onSendFields,
}: RequestTabProps) {
  const [isExpanded, setIsExpanded] = useState(false);
  return (
    <TwoColumns columnSizes="code">
      <PanelColumn side="left" label="Request body">
        <PanelHeader title="Request body">
          <Button
            size="small"
            variant="ghost"
            aria-pressed={isExpanded}
            onClick={() => setIsExpanded(!isExpanded)}
          >
            {isExpanded ? 'Collapse messages' : 'Show all'}
          </Button>
          <Button size="small" variant="ghost" onClick={() => void copyText(formatExactJson(body))}>
            <Copy className="icon-14" aria-hidden />
            Copy
          </Button>
        </PanelHeader>
        {opaqueTapeFields && opaqueTapeFields.length > 0 && (
          <p className="mb-2 text-12 text-ink-2">
            The provider may need these fields of the answer back:{' '}
            <span className="font-mono">{opaqueTapeFields.join(', ')}</span>. They are not sent because the
            gateway that returned them is unknown.{' '}
            <Button size="small" onClick={onSendFields}>
              Send anyway
            </Button>
          </p>
        )}
        <ol
          className="max-h-[56vh] overflow-auto rounded-2 border border-line-2 bg-paper py-2"
          tabIndex={0}
          aria-label="Request body fields"
        >
          {buildRequestLines(body, isExpanded).map(({ depth, tokens, tier }, lineIndex) => (
            <li key={lineIndex} className="grid min-h-4.75 grid-cols-[26px_minmax(0,1fr)]">
              <span className="grid h-4.75 place-items-center">
                {tier && <TierMark fill={tierFills[tier]} label={tier} />}
              </span>
              <code className="font-mono text-mono-12 leading-4.75 wrap-anywhere whitespace-pre-wrap">
                {'  '.repeat(depth)}
                {tokens.map(({ text, kind }, index) => (
                  <JsonTokenView key={index} kind={kind}>
                    {text}
                  </JsonTokenView>
                ))}
              </code>
            </li>
          ))}
        </ol>
        <Legend className="mt-2">
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
        <PanelHeader title={requestId === undefined ? 'Will be sent with' : 'Sent with'} hasDivider />
        <DefinitionList>
          <DefinitionItem name="POST" value="/v1/chat/completions" />
          <DefinitionItem name="authorization" value="Bearer key, added by the Bench server if set" />
          <DefinitionItem name="content-type" value="application/json" />
          <DefinitionItem name="x-request-id" value={requestId ?? 'new for each request'} />
        </DefinitionList>
      </PanelColumn>
      <PanelColumn side="right" label="Code">
        <CodeView body={body} gatewayName={gatewayName} />
      </PanelColumn>
    </TwoColumns>
  );
}
