import { Check, Copy } from 'lucide-react';
import { type ReactElement, useState } from 'react';

/** The command line of the same thing, to copy. */
export function CopyCommand({ command }: { readonly command: string }): ReactElement {
  return (
    <span className="command">
      <code className="clip" title={command}>
        {command}
      </code>
      <CopyButton text={command} label="Copy the command" />
    </span>
  );
}

export function CopyButton({ text, label }: { readonly text: string; readonly label: string }): ReactElement {
  const [copied, setCopied] = useState(false);
  const copy = async () => {
    await navigator.clipboard.writeText(text);
    setCopied(true);
    setTimeout(() => setCopied(false), 1500);
  };
  return (
    <button
      type="button"
      className="button plain"
      onClick={() => void copy()}
      aria-label={copied ? 'Copied' : label}
      title={label}
    >
      {copied ? <Check size={14} aria-hidden /> : <Copy size={14} aria-hidden />}
    </button>
  );
}
