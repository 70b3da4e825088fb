import type { ImportError } from './session-import.ts';

/** Why a file was not taken in, and where, as sentences. */
export function describeImportError(fileName: string, { reason, line, path }: ImportError): string {
  const location =
    line === undefined
      ? ''
      : ` Line ${line.toLocaleString('en')}${path === undefined || path === '' ? '' : `, at ${path}`}.`;
  return `${fileName} was not imported. ${reason}${location} Nothing was changed.`;
}
