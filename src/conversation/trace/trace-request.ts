/** Formats a request body as lines: each field with its portability, and long values collapsed to a summary. */
import type { ChatRequest, Message } from '../../gateway/wire.ts';
import { writeExactJson } from '../../lib/exact-json.ts';
import { pluralize } from '../../lib/format.ts';
import { listMedia } from '../request/message-images.ts';
import { estimateTokens, listOpaqueFieldNames, getContentText } from '../request/request.ts';
import { PARAMS, type ParamTier } from '../setup/params.ts';
import { formatTraceJson, type TraceJsonToken } from './trace-json.ts';

export interface RequestLine {
  depth: number;
  tokens: (TraceJsonToken | { text: string; kind: 'fold' })[];
  /** Portability, on the first line of a field. */
  tier?: ParamTier;
}

/** Fields of the most portable request of §2.1 that are not in the parameter table. */
const portableFields = new Set(['model', 'messages']);
/** Maximum length in characters of a value on one line. */
const maxInlineChars = 60;

/** Returns the portability of a request field (§2.1); the user's extra fields are passed through. */
export function getFieldTier(name: string): ParamTier {
  if (portableFields.has(name)) return 'portable';
  return PARAMS.find((row) => row.name === name)?.tier ?? 'passed through';
}

/** Builds the lines. `isExpanded` shows messages and tools in full instead of one line each. */
export function buildRequestLines(body: ChatRequest, isExpanded: boolean): RequestLine[] {
  const names = Object.keys(body);
  const lines: RequestLine[] = [{ depth: 0, tokens: [{ text: '{', kind: 'mark' }] }];
  names.forEach((name, index) => {
    const fieldLines = buildFieldLines(name, body, isExpanded);
    const firstLine = fieldLines[0];
    const lastLine = fieldLines.at(-1);
    if (firstLine) firstLine.tier = getFieldTier(name);
    if (index < names.length - 1) lastLine?.tokens.push({ text: ',', kind: 'mark' });
    lines.push(...fieldLines);
  });
  lines.push({ depth: 0, tokens: [{ text: '}', kind: 'mark' }] });
  return lines;
}

function buildFieldLines(name: string, body: ChatRequest, isExpanded: boolean): RequestLine[] {
  const keyTokens: TraceJsonToken[] = [
    { text: JSON.stringify(name), kind: 'key' },
    { text: ': ', kind: 'mark' },
  ];
  const value: unknown = body[name];
  if (!isExpanded && name === 'messages') return buildMessageLines(keyTokens, body.messages);
  if (!isExpanded && name === 'tools' && Array.isArray(value)) {
    const collapsedToken = { text: ` ${pluralize(value.length, 'function')} `, kind: 'fold' } as const;
    return [
      {
        depth: 1,
        tokens: [...keyTokens, { text: '[', kind: 'mark' }, collapsedToken, { text: ']', kind: 'mark' }],
      },
    ];
  }
  const text = writeExactJson(value);
  const formattedLines = formatTraceJson(text).lines;
  const isInline = text.length <= maxInlineChars || formattedLines.length === 1;
  // Only responses are compared with the specification, because users may add extra fields to requests.
  const plainLines = formattedLines.map(({ depth, tokens }) => ({
    depth: depth + 1,
    tokens: tokens.map(({ text: tokenText, kind }) => ({ text: tokenText, kind })),
  }));
  if (isInline)
    return [
      { depth: 1, tokens: [...keyTokens, ...plainLines.flatMap(({ tokens }) => withSpacedCommas(tokens))] },
    ];
  return plainLines.map((line, index) =>
    index === 0 ? { ...line, tokens: [...keyTokens, ...line.tokens] } : line,
  );
}

function withSpacedCommas(tokens: readonly TraceJsonToken[]): TraceJsonToken[] {
  return tokens.map((token) => (token.text === ',' ? { ...token, text: ', ' } : token));
}

function buildMessageLines(keyTokens: TraceJsonToken[], messages: readonly Message[]): RequestLine[] {
  return [
    { depth: 1, tokens: [...keyTokens, { text: '[', kind: 'mark' }] },
    ...messages.map((message, index): RequestLine => {
      const end = index < messages.length - 1 ? ' },' : ' }';
      return {
        depth: 2,
        tokens: [
          { text: '{ ', kind: 'mark' },
          { text: '"role"', kind: 'key' },
          { text: ': ', kind: 'mark' },
          { text: JSON.stringify(message.role), kind: 'text' },
          { text: ', ', kind: 'mark' },
          { text: describeMessageSize(message), kind: 'fold' },
          { text: end, kind: 'mark' },
        ],
      };
    }),
    { depth: 1, tokens: [{ text: ']', kind: 'mark' }] },
  ];
}

/** Returns a summary such as "~63 tokens, 1 image, 2 tool calls". */
function describeMessageSize(message: Message): string {
  const media = listMedia([message]);
  const imageCount = media.filter(({ type }) => type === 'image_url').length;
  const fileCount = media.length - imageCount;
  const callCount = message.role === 'assistant' ? (message.tool_calls?.length ?? 0) : 0;
  const tokenCount = estimateTokens(getContentText(message.content));
  return [
    ...(tokenCount > 0 || media.length + callCount === 0 ? [`~${pluralize(tokenCount, 'token')}`] : []),
    ...(imageCount > 0 ? [pluralize(imageCount, 'image')] : []),
    ...(fileCount > 0 ? [pluralize(fileCount, 'file')] : []),
    ...(callCount > 0 ? [pluralize(callCount, 'tool call')] : []),
    ...(message.role === 'assistant' ? listOpaqueFieldNames([message]) : []),
  ].join(', ');
}
