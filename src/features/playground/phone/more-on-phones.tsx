import { Plus, SlidersHorizontal } from 'lucide-react';
import { useState } from 'react';

import { differingParams } from '../../../conversation/session/differing-params.ts';
import { PARAMS, paramState, type Params } from '../../../conversation/setup/params.ts';
import { usePlayground, useSessionParts } from '../../../state/react.tsx';
import { classes } from '../../../ui/classes.ts';
import { iconButtonLook } from '../../../ui/controls/icon-button.tsx';
import { useCloseOnEscape } from '../use-close-on-escape.ts';

/** In the composer of a phone: what else can be sent unfolds on demand, and the parameters are a sheet. */
export function MoreOnPhones() {
  const { view } = usePlayground();
  const [open, setOpen] = useState(false);
  useCloseOnEscape(open, () => setOpen(false));
  const lanes = useSessionParts((data) =>
    data.session.laneIds.map((id) => data.lanes[id]?.setup.params ?? {}),
  );
  const sent = sentCount(lanes ?? []);
  const differing = differingParams(lanes ?? []).length;
  return (
    <>
      <button
        type="button"
        className={classes(iconButtonLook(), 'cp-plus')}
        aria-label="More to send"
        aria-expanded={open}
        onClick={() => setOpen(!open)}
      >
        <Plus className="icon-20" aria-hidden />
      </button>
      <button
        type="button"
        className={classes(iconButtonLook(), 'cp-params')}
        aria-label={`Parameters, ${sent} sent${differing > 0 ? `, ${differing} differ` : ''}`}
        onClick={() => view.setState({ parametersOverlay: true })}
      >
        <SlidersHorizontal className="icon-20" aria-hidden />
        {sent > 0 && <sup aria-hidden>{sent}</sup>}
      </button>
    </>
  );
}

/** Fields that at least one lane sends. */
function sentCount(lanes: readonly Params[]): number {
  return PARAMS.filter(({ name }) => lanes.some((params) => paramState(params, name).state === 'sent'))
    .length;
}
