import { isRecord, getNumberProperty, getOwnProperty, parseJson, getStringProperty } from '../../lib/json.ts';
import { getChoiceError, getFailedBaseResp, isBlankValue, isErrorMember } from './error-value.ts';

/** Details of an error body of any shape. */
export interface ErrorDetails {
  message?: string;
  type?: string;
  code?: string;
  /** Numeric status from the fields. */
  status?: number;
  fields?: { path: string; message: string }[];
  /** The error contains the name of a provider behind the gateway. */
  isFromProvider?: true;
}

const detailKeys = [
  'message',
  'detail',
  'details',
  'error',
  'msg',
  'error_description',
  'error_message',
  'error_msg',
  'status_msg',
  'reason',
  'text',
  'title',
];
const maxDepth = 4;

/** Reads the JSON value of an error response or error event. `undefined` if it contains no error text. */
export function readErrorDetails(value: unknown, depth = 0): ErrorDetails | undefined {
  if (typeof value === 'string') return value.trim() === '' ? undefined : readTextDetails(value, depth);
  if (depth > maxDepth) return undefined;
  if (Array.isArray(value)) return readListDetails(value, depth);
  if (!isRecord(value)) return undefined;

  const innerError = getInnerError(value);
  if (isRecord(innerError) || Array.isArray(innerError)) {
    const innerDetails = readErrorDetails(innerError, depth + 1);
    if (innerDetails) return { ...readIdentifiers(value), ...innerDetails };
  }
  const details: ErrorDetails = readIdentifiers(value);
  for (const key of detailKeys) {
    const fieldValue = getOwnProperty(value, key);
    const fieldDetails = readErrorDetails(fieldValue, depth + 1);
    if (!fieldDetails?.message) continue;
    Object.assign(details, { ...fieldDetails, ...details, message: fieldDetails.message });
    break;
  }
  const errors = getOwnProperty(value, 'errors');
  if (!details.message && Array.isArray(errors)) Object.assign(details, readErrorDetails(errors, depth + 1));
  const parameter = getStringProperty(value, 'param');
  if (parameter && details.message && !details.fields)
    details.fields = [{ path: parameter, message: details.message }];
  return addProviderError(value, details, depth);
}

/** Returns the error inside a value, if only a part of the value is the error. */
export function getInnerError(value: unknown): unknown {
  const errorMember = getOwnProperty(value, 'error');
  return isErrorMember(errorMember) ? errorMember : (getChoiceError(value) ?? getFailedBaseResp(value));
}

const identifierKeys = new Set(['type', 'code', 'status', 'status_code', 'statusCode', 'object', 'param']);

/** Returns true if an error has content other than its type, code and status. */
export function hasUnknownErrorFields(value: unknown): boolean {
  const error = getInnerError(value) ?? value;
  if (typeof error !== 'object' || error === null) return false;
  return Object.entries(error).some(([key, field]) => {
    const isIdentifier = identifierKeys.has(key) && typeof field !== 'object';
    return !isIdentifier && !isBlankValue(field);
  });
}

/** OpenRouter puts the provider's own error in `metadata.raw`; vLLM and SGLang send `object: "error"`. */
function addProviderError(value: unknown, details: ErrorDetails, depth: number): ErrorDetails | undefined {
  const metadata = getOwnProperty(value, 'metadata');
  const provider = getStringProperty(metadata, 'provider_name');
  const rawDetails = readErrorDetails(getOwnProperty(metadata, 'raw'), depth + 1);
  if (rawDetails?.message && rawDetails.message !== details.message) {
    const outerMessage = provider
      ? `${details.message ?? 'Error'} (${provider})`
      : (details.message ?? 'Error');
    details.message = `${outerMessage}: ${rawDetails.message}`;
  }
  if (provider || rawDetails || getOwnProperty(value, 'object') === 'error') details.isFromProvider = true;
  return details.message === undefined && details.type === undefined && details.code === undefined
    ? undefined
    : details;
}

function readIdentifiers(value: unknown): ErrorDetails {
  const details: ErrorDetails = {};
  const type = getStringProperty(value, 'type') ?? getStringProperty(value, 'status');
  const code =
    getStringProperty(value, 'code') ??
    getNumberProperty(value, 'code') ??
    getNumberProperty(value, 'status_code') ??
    getNumberProperty(value, 'error_code') ??
    getNumberProperty(value, 'error');
  const status = getNumberProperty(value, 'status') ?? getNumberProperty(value, 'statusCode');
  if (type) details.type = type;
  if (code !== undefined && code !== '') details.code = String(code);
  if (status !== undefined) details.status = status;
  return details;
}

/** Reads FastAPI's `detail`, or a list of errors of any shape. */
function readListDetails(list: unknown[], depth: number): ErrorDetails | undefined {
  const fields: { path: string; message: string }[] = [];
  const messages: string[] = [];
  let firstDetails: ErrorDetails | undefined;
  for (const item of list.slice(0, 50)) {
    const itemDetails = readErrorDetails(item, depth + 1);
    if (!itemDetails?.message) continue;
    firstDetails ??= itemDetails;
    const locationPath = getOwnProperty(item, 'loc');
    const path = Array.isArray(locationPath)
      ? (locationPath[0] === 'body' ? locationPath.slice(1) : locationPath).map(String).join('.')
      : '';
    if (path) fields.push({ path, message: itemDetails.message });
    messages.push(path ? `${path}: ${itemDetails.message}` : itemDetails.message);
  }
  if (!firstDetails) return undefined;
  return { ...firstDetails, message: messages.join('; '), ...(fields.length > 0 ? { fields } : {}) };
}

/**
 * Reads a message that may embed the JSON of the layer below (`litellm.BadRequestError: BedrockException - {…}`). Keeps
 * the text of both layers; the JSON stays in the raw text.
 */
function readTextDetails(text: string, depth: number): ErrorDetails {
  const isFromProvider = /^litellm\.|\b(?:provider|upstream) (?:returned|error)/i.test(text);
  const details: ErrorDetails = isFromProvider ? { message: text, isFromProvider } : { message: text };
  const start = text.indexOf('{');
  if (start === -1 || depth > maxDepth) return details;
  const parsed = parseJson(text.slice(start, text.lastIndexOf('}') + 1));
  const innerDetails = parsed.ok ? readErrorDetails(parsed.value, depth + 1) : undefined;
  if (!innerDetails?.message) return details;
  const outerText = text.slice(0, start).trim();
  return {
    ...innerDetails,
    ...details,
    message: outerText ? `${outerText} ${innerDetails.message}` : innerDetails.message,
  };
}
