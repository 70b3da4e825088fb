import type { Encoding } from '../../lib/table/decode-text.ts';
import type { Delimiter } from '../../lib/table/delimited.ts';
import type { TableChoices, TableFormat, ParsedTable } from '../../lib/table/read-table.ts';
import { CheckboxField } from './checkbox.tsx';
import { Segmented } from './segmented.tsx';
import { Select } from './select.tsx';

const formatOptions: readonly { value: TableFormat; label: string }[] = [
  { value: 'delimited', label: 'Table' },
  { value: 'json', label: 'JSON' },
  { value: 'lines', label: 'One per line' },
];
const delimiterOptions: readonly { value: Delimiter; label: string }[] = [
  { value: ',', label: 'comma' },
  { value: ';', label: 'semicolon' },
  { value: '\t', label: 'tab' },
  { value: '|', label: 'pipe' },
];
const encodingOptions: readonly { value: Encoding; label: string }[] = [
  { value: 'utf-8', label: 'UTF-8' },
  { value: 'utf-16le', label: 'UTF-16 LE' },
  { value: 'utf-16be', label: 'UTF-16 BE' },
  { value: 'windows-1252', label: 'Windows-1252' },
  { value: 'windows-1250', label: 'Windows-1250' },
  { value: 'windows-1251', label: 'Windows-1251' },
  { value: 'macintosh', label: 'Mac OS Roman' },
  { value: 'shift_jis', label: 'Shift JIS' },
  { value: 'gb18030', label: 'GB 18030' },
  { value: 'big5', label: 'Big5' },
  { value: 'euc-kr', label: 'EUC-KR' },
];
/** Returns the label of a list; an empty name means the whole object. */
const getListLabel = (name: string) => (name === '' ? 'whole object' : name);

/** Controls to correct how a file was read. */
export function TableOptions({
  reading: { choices, lists },
  onChange,
}: {
  reading: Pick<ParsedTable, 'choices' | 'lists'>;
  onChange: (change: TableChoices) => void;
}) {
  const { format, delimiter, encoding, hasHeader, shouldOmitIndex, shouldFillShortRows, list } = choices;
  return (
    <>
      <Segmented
        label="Format"
        value={format}
        choices={formatOptions}
        onChange={(next) => onChange({ format: next })}
      />
      {delimiter !== undefined && (
        <Select
          label="Delimiter"
          value={delimiter}
          options={delimiterOptions}
          onChange={(next) => onChange({ delimiter: next })}
        />
      )}
      {encoding !== undefined && (
        <Select
          label="Encoding"
          value={encoding}
          options={encodingOptions}
          onChange={(next) => onChange({ encoding: next })}
        />
      )}
      {list !== undefined && (
        <Select
          label="List of rows"
          value={list}
          options={lists.map((value) => ({ value, label: getListLabel(value) }))}
          onChange={(next) => onChange({ list: next })}
        />
      )}
      {hasHeader !== undefined && (
        <CheckboxField
          label="Header row"
          checked={hasHeader}
          onChange={(next) => onChange({ hasHeader: next })}
        />
      )}
      {shouldOmitIndex !== undefined && (
        <CheckboxField
          label="Leave out index column"
          checked={shouldOmitIndex}
          onChange={(next) => onChange({ shouldOmitIndex: next })}
        />
      )}
      {shouldFillShortRows !== undefined && (
        <CheckboxField
          label="Keep rows with missing fields"
          checked={shouldFillShortRows}
          onChange={(next) => onChange({ shouldFillShortRows: next })}
        />
      )}
    </>
  );
}
