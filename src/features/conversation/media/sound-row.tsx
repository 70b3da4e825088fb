import { estimateSoundBytes, createSoundFile } from '../../../conversation/reply/sound-file.ts';
import type { Sound } from '../../../gateway/media/answer-media.ts';
import { formatBytes } from '../../../lib/format.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { saveBlob } from '../../../ui/display/save-file.ts';
import { Volume2 } from '../../../ui/icons.tsx';
import { Download } from '../../../ui/late-icons.tsx';

interface SoundRowProps {
  sound: Sound;
  live: boolean;
  /** Used in the file name. */
  runId: string;
}

/** Audio of an answer as a file to save. The transcript is the text above. */
export function SoundRow({ sound, live, runId }: SoundRowProps) {
  const save = () => {
    const file = createSoundFile(sound);
    if (file)
      saveBlob(new Blob([file.bytes], { type: file.type }), `bench-speech-${runId}.${file.extension}`);
  };
  return (
    <p className="my-2 flex flex-wrap items-center gap-x-2 gap-y-1 text-12 text-ink-3 normal-nums">
      <Volume2 className="icon-14" aria-hidden />
      <span>Speech, {formatBytes(estimateSoundBytes(sound))}</span>
      {!live && (
        <Button size="small" onClick={save}>
          <Download className="icon-14" aria-hidden />
          Save audio
        </Button>
      )}
    </p>
  );
}
