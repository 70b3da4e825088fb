import { Download } from 'lucide-react';

import { fetched } from '../../lib/fetched.ts';
import { useAnnounce } from '../../ui/display/live-region.tsx';
import { Menu } from '../../ui/overlays/menu.tsx';
import { useLabControl, useTellProblem } from './hooks/use-lab-control.ts';
import { useLabState } from './hooks/use-lab.ts';
import type { LabFile } from './lab/lab-export.ts';
import { shownSet } from './lab/lab-store.ts';

const forms: readonly { form: LabFile; label: string; hint: string }[] = [
  { form: 'json', label: 'JSON', hint: 'as the gateway returns it' },
  { form: 'jsonl', label: 'JSON Lines', hint: 'one text and vector per line' },
  { form: 'csv', label: 'CSV', hint: '9 digits' },
  { form: 'npy', label: 'npy and ids', hint: 'float32 for NumPy' },
  { form: 'report', label: 'Report', hint: 'settings, seeds, results' },
];

/** What is loaded, as files. */
export function ExportMenu() {
  const control = useLabControl();
  const isThere = useLabState((state) => shownSet(state) !== undefined);
  const tell = useTellProblem();
  const announce = useAnnounce();
  if (!isThere) return null;
  const save = async (form: LabFile) => {
    const { saveLabFile } = await fetched(() => import('./lab/lab-export.ts'));
    announce(await saveLabFile(form, control));
  };
  return (
    <Menu
      label="Save as a file"
      items={forms.map(({ form, label, hint }) => ({ label, hint, onPick: () => tell(save(form)) }))}
    >
      <Download className="i" aria-hidden />
    </Menu>
  );
}
