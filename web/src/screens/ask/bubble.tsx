/** A question. */
export const Bubble = ({ text }: { text: string }) => (
  <p className="max-w-[85%] self-end rounded-lg bg-active px-3 py-2 text-base leading-[22px] break-words whitespace-pre-wrap">
    {text}
  </p>
)
