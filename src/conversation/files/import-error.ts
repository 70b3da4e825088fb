import type { ImportError } from './session-import.ts';

/** Describes why a file could not be imported, with the location of the problem. */
export function describeImportError(fileName: string, { reason, line, path }: ImportError): string {
  const location =
    line === undefined
      ? ''
      : ` Line ${line.toLocaleString('en')}${path === undefined || path === '' ? '' : `, at ${path}`}.`;
  return `${fileName} was not imported. ${reason}${location} Nothing was changed.`;
}
