import type { ImportRefusal } from './session-import.ts';

/** Why a file was not taken in, and where, as sentences. */
export function refusalWords(fileName: string, { reason, line, place }: ImportRefusal): string {
  const where =
    line === undefined
      ? ''
      : ` Line ${line.toLocaleString('en')}${place === undefined || place === '' ? '' : `, at ${place}`}.`;
  return `${fileName} was not imported. ${reason}${where} Nothing was changed.`;
}
