import { findDifferingParams } from '../../../conversation/session/differing-params.ts';
import type { ParamName, Params } from '../../../conversation/setup/params.ts';
import { formatCount } from '../../../lib/format.ts';
import { useSessionShallow } from '../../../state/use-playground.tsx';
import { classes } from '../../../ui/cn.ts';
import { Chip } from '../../../ui/display/tag.tsx';

/** The values of this lane that are not what most lanes have. cut: each as narrow as there is room. */
export function LaneChips({ laneId, cut = false }: { laneId: string; cut?: boolean }) {
  const chips = useSessionShallow((data) => {
    const params = data.session.laneIds.map((id) => data.lanes[id]?.setup.params ?? {});
    const own = data.lanes[laneId]?.setup.params ?? {};
    return findDifferingParams(params)
      .filter((name) => isUnusual(name, own, params))
      .map((name) => `${name} ${shownValue(own, name)}`);
  });
  const [, ...others] = chips ?? [];
  return (
    <>
      {chips?.map((chip, index) => (
        <Chip key={chip} differs cut={cut} className={classes(cut && index > 0 && 'low:hidden')} title={chip}>
          {chip.length > 34 ? `${chip.slice(0, 33)}…` : chip}
        </Chip>
      ))}
      {others.length > 0 && (
        <Chip differs hidden className="flex-none phone:hidden low:inline-flex" title={others.join(', ')}>
          +{others.length}
        </Chip>
      )}
    </>
  );
}

function shownValue(params: Params, name: ParamName): string {
  const setting = params[name];
  if (!setting?.sent) return 'not sent';
  return /^\d{4,}$/.test(setting.text) ? formatCount(Number(setting.text)) : setting.text;
}

/** Fewer lanes share this value than share another; where no value leads, each is worth its words. */
function isUnusual(name: ParamName, own: Params, lanes: readonly Params[]): boolean {
  const sharing = (params: Params) =>
    lanes.filter((lane) => shownValue(lane, name) === shownValue(params, name)).length;
  const most = Math.max(...lanes.map(sharing));
  const leaders = new Set(
    lanes.filter((lane) => sharing(lane) === most).map((lane) => shownValue(lane, name)),
  );
  return sharing(own) < most || leaders.size > 1;
}
