import { Info } from 'lucide-react';

import { dimensionsOf, whyNoDimensions } from '../../../embedding/items/model-dimensions.ts';
import { formatCount } from '../../../lib/format.ts';
import { IconButton } from '../../../ui/controls/icon-button.tsx';
import { Select } from '../../../ui/controls/select.tsx';
import { TierMark } from '../../../ui/display/tier-mark.tsx';
import { useLab, useLabState } from '../hooks/use-lab.ts';

const notSent = 'none';

/** §2.6: the allowed values of the size that the ID shows, or why there is no such field. */
export function DimensionsField() {
  const { edit } = useLab();
  const model = useLabState((state) => state.input.models.A);
  const dimensions = useLabState((state) => state.input.dimensions);
  const table = dimensionsOf(model);
  if (!table) {
    return (
      <span className="lab-field">
        <span className="mono">dimensions</span>
        <span className="mut">set by the model</span>
        <IconButton size="small" label="Why dimensions is not available" tip={whyNoDimensions(model)}>
          <Info className="i s" aria-hidden />
        </IconButton>
      </span>
    );
  }
  const options = [
    { value: notSent, label: 'not sent', note: `gives ${formatCount(table.native)}` },
    ...table.values.map((value) => ({
      value: String(value),
      label: formatCount(value),
      note: `${formatCount(value * 4)} B`,
    })),
  ];
  const isSent = dimensions !== undefined && table.values.includes(dimensions);
  return (
    <span className="lab-field">
      <span className="mono">dimensions</span>
      <TierMark fill="half" label="documented, for one series of models" />
      <Select
        label="dimensions"
        value={isSent ? String(dimensions) : notSent}
        options={options}
        onChange={(value) => edit({ dimensions: value === notSent ? undefined : Number(value) })}
      />
      {table.isAssumed && (
        <IconButton
          size="small"
          label="These values are assumed"
          tip={`The ID names a size, ${table.size}, but not the series that the list of values is for. The server's answer decides.`}
        >
          <Info className="i s" aria-hidden />
        </IconButton>
      )}
    </span>
  );
}
