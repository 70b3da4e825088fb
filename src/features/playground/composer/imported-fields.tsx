import { countNextImportedFields } from '../../../conversation/request/request.ts';
import { pluralize } from '../../../lib/format.ts';
import { useSession, useSessionServices } from '../../../state/contexts.tsx';
import { Button } from '../../../ui/controls/button.tsx';
import { useRequestRules } from '../../models/use-request-rules.ts';

/** Note that the next request sends provider fields from an imported file, with a button to remove them. */
export function ImportedFields({ targets }: { targets: readonly string[] }) {
  const isNew = useSession(({ session }) => session.importedFields === 'new') ?? false;
  return isNew && <NewFields targets={targets} />;
}

function NewFields({ targets }: { targets: readonly string[] }) {
  const { actions } = useSessionServices();
  const rules = useRequestRules();
  const count =
    useSession((data) =>
      targets.reduce((sum, id) => {
        const lane = data.lanes[id];
        return lane ? sum + countNextImportedFields(data, lane, rules) : sum;
      }, 0),
    ) ?? 0;
  if (count === 0) return null;
  return (
    <p className="flex flex-wrap items-center gap-x-2 px-3.5 pt-2 text-12 text-warn-ink" role="status">
      Also sends {pluralize(count, 'extra field')} from the imported file.
      <Button size="small" onClick={() => actions.omitImportedFields()}>
        Leave out
      </Button>
    </p>
  );
}
