import { useState } from 'react';

import type { Run } from '../../conversation/session/types.ts';
import { createPreloadableImport } from '../../lib/lazy-import.ts';
import { useAppServices, useLibraryServices, useRunServices } from '../../state/contexts.tsx';
import { reportFailure } from '../../state/notices.ts';
import { Button } from '../../ui/controls/button.tsx';
import { IconButton } from '../../ui/controls/icon-button.tsx';
import { copyText } from '../../ui/display/copy-text.ts';
import { useAnnounce } from '../../ui/display/live-region.tsx';
import { CheckIcon } from '../../ui/icons.tsx';
import { ClipboardList } from '../../ui/late-icons.tsx';

const loadReport = createPreloadableImport(() => import('../../conversation/trace/answer-report.ts'));

interface CopyReportProps {
  run: Run;
  /** True for an icon without text. */
  isIcon?: boolean;
}

/** Button that copies what a bug report about this answer needs, as Markdown. */
export function CopyReport({ run, isIcon = false }: CopyReportProps) {
  const { library } = useLibraryServices();
  const { recorder } = useRunServices();
  const { gateways, notices } = useAppServices();
  const announce = useAnnounce();
  const [copiedRun, setCopiedRun] = useState<Run>();
  const copy = async () => {
    await recorder.flush();
    const [{ formatAnswerReport }, tape] = await Promise.all([loadReport(), library.readTape(run.id)]);
    const worked = await copyText(formatAnswerReport(run, tape, gateways.statuses.getState()));
    setCopiedRun(worked ? run : undefined);
    announce(worked ? 'Copied the report.' : 'The browser blocked copying.');
  };
  const isCopied = copiedRun === run;
  const Icon = isCopied ? CheckIcon : ClipboardList;
  const onClick = () => reportFailure(notices, copy());
  if (isIcon)
    return (
      <IconButton label={isCopied ? 'Copied' : 'Copy report'} size="small" onClick={onClick}>
        <Icon className="icon-14" aria-hidden />
      </IconButton>
    );
  return (
    <Button size="small" onClick={onClick}>
      <Icon className="icon-14" aria-hidden />
      {isCopied ? 'Copied' : 'Copy report'}
    </Button>
  );
}
