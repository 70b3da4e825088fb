import { isRecord, getOwnProperty, getStringProperty } from '../../lib/json.ts';

/**
 * Returns true for an error of any shape inside a successful response. `eventName` is the name of the event: with
 * "error", any value counts; under other names, only an explicit error does.
 */
export function isErrorValue(value: unknown, eventName?: string): boolean {
  if (isErrorEventName(eventName)) return true;
  // Google puts its error into a list of one.
  if (Array.isArray(value)) return value.slice(0, maxErrors).some(hasErrorMember);
  if (!isRecord(value)) return false;
  if (hasErrorMember(value)) return true;
  const object = getStringProperty(value, 'object');
  const type = getStringProperty(value, 'type');
  // §6.4: a chunk may carry a provider message, such as a position in a queue.
  if ((object ?? type)?.startsWith('chat.completion') === true) return false;
  if (object === 'error' || type === 'error') return true;
  if (eventName !== undefined && eventName !== 'message') return false;
  if (getFailedBaseResp(value) !== undefined) return true;
  if (Array.isArray(getOwnProperty(value, 'choices')) || Object.hasOwn(value, 'usage')) return false;
  return describesFailure(value, object);
}

/** Some gateways capitalise the name of an error event. */
export function isErrorEventName(eventName: string | undefined): boolean {
  return eventName?.trim().toLowerCase() === 'error';
}

/** Returns true for an `error` member with content: null, "", 0, false and objects of such values do not count. */
export function isErrorMember(error: unknown): boolean {
  return typeof error === 'object' && error !== null
    ? Object.values(error).some((value) => !isBlankValue(value))
    : !isBlankValue(error);
}

/** OpenRouter may put a stream error into the failed choice. */
export function getChoiceError(value: unknown): unknown {
  const choices: unknown = getOwnProperty(value, 'choices');
  if (typeof choices !== 'object' || choices === null) return undefined;
  const hasError = (choice: unknown) => isErrorMember(getOwnProperty(choice, 'error'));
  // Also covers a single choice and a table of choices.
  const failedChoice: unknown = hasError(choices) ? choices : Object.values(choices).find(hasError);
  return getOwnProperty(failedChoice, 'error');
}

/** MiniMax reports the result in `base_resp`, where 0 means success. */
export function getFailedBaseResp(value: unknown): unknown {
  const baseResp = getOwnProperty(value, 'base_resp');
  return isFailureCode(getOwnProperty(baseResp, 'status_code')) ? baseResp : undefined;
}

const maxErrors = 50;

export const messageKeys = [
  'message',
  'detail',
  'details',
  'msg',
  'reason',
  'error_message',
  'error_msg',
  'error_description',
  'status_msg',
];

function hasErrorMember(value: unknown): boolean {
  return isErrorMember(getOwnProperty(value, 'error')) || getChoiceError(value) !== undefined;
}

/**
 * Returns true if an object without an explicit error marker describes an error, through its other fields or only its
 * text.
 */
function describesFailure(value: Record<string, unknown>, object: string | undefined): boolean {
  const states = ['status', 'status_code', 'statusCode', 'type', 'event'].map((key) =>
    getOwnProperty(value, key),
  );
  const codes = ['code', 'error_code'].map((key) => getOwnProperty(value, key));
  const hasFailureState = states.some(isFailureState);
  if (!isBlankValue(getOwnProperty(value, 'errors'))) return true;
  const message = messageKeys.map((key) => getOwnProperty(value, key)).find((text) => !isBlankValue(text));
  if (message === undefined) return hasFailureState && !isBlankValue(getOwnProperty(value, 'title'));
  if (hasFailureState || codes.some(isFailureCode) || getOwnProperty(value, 'success') === false) return true;
  const isMessageOnly = object === undefined && [...states, ...codes].every(isBlankValue);
  return isMessageOnly && isErrorText(message);
}

/** Returns true for empty values: null, blanks, 0, false, and lists or objects without content. */
export function isBlankValue(value: unknown): boolean {
  if (typeof value === 'string') return value.trim() === '';
  if (typeof value === 'object' && value !== null) return Object.keys(value).length === 0;
  return value === undefined || value === null || value === 0 || value === false;
}

/** `code: 0`, `code: 200` and `code: "success"` mean success. */
function isFailureCode(code: unknown): boolean {
  if (typeof code !== 'string' && typeof code !== 'number') return false;
  return !/^(?:0*|2\d\d|ok|success|succeeded)$/i.test(String(code).trim());
}

/**
 * Returns true for a status of 400 or more, or a word for failure: `status` and `type` often report ordinary progress.
 */
function isFailureState(value: unknown): boolean {
  if (typeof value === 'number') return value >= 400;
  return (
    typeof value === 'string' &&
    /err|fail|exception|invalid|denied|refus|reject|forbid|unauth|unavail|overload|exceed|limit|timeout|abort|bad|[45]\d\d/i.test(
      value,
    )
  );
}

const failurePattern = new RegExp(
  [
    String.raw`errors?\b|fail(?:s|ed|ures?|ing)?\b|exceptions?\b|invalid|denied|refused|reject(?:s|ed)\b|abort|crash`,
    String.raw`forbidden|unauthori[sz]ed|unauthenticated|unavailable|overload|exceed|timed?[ -]?out\b|expired`,
    String.raw`\bbad (?:request|gateway)|too many|not (?:found|allowed|supported|permitted)|unsupported|disconnect`,
    String.raw`went wrong|out of (?:memory|credits|capacity)|insufficient|can ?not\b|can't|could(?: not|n't)`,
    String.raw`unable to|\b(?:limit|quota)s? (?:is |was |has been )?reached|terminated`,
  ].join('|'),
  'i',
);

/**
 * Returns true if a sentence describes a failure; "limit" or a number alone is not enough. Only its beginning is read.
 */
export function isErrorText(text: unknown): boolean {
  if (typeof text !== 'string') return false;
  return failurePattern.test(text.slice(0, 1000).replace(/\b(?:no|without) errors?\b/gi, ''));
}
