import { type ReactElement, type ReactNode, useEffect, useId, useRef } from 'react';

/** The browser's own dialog: it holds the focus and gives it back where it was. */
export function Dialog({
  title,
  children,
  close,
}: {
  readonly title: string;
  readonly children: ReactNode;
  readonly close: () => void;
}): ReactElement {
  const element = useRef<HTMLDialogElement>(null);
  const id = useId();
  useEffect(() => {
    const dialog = element.current;
    if (dialog && !dialog.open) dialog.showModal();
    return () => dialog?.close();
  }, []);
  return (
    <dialog ref={element} onClose={close} aria-labelledby={id}>
      <div className="inside">
        <h1 id={id}>{title}</h1>
        {children}
      </div>
    </dialog>
  );
}
