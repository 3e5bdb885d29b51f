import { isWordChain, madeByMachine } from "./made-by-machine.ts";
import type { TextRule } from "./text-rule.ts";

/** Keys of cloud platforms. */
export const cloudTokens: readonly TextRule[] = [
  {
    id: "aws-access-key",
    when: { token: ["AKIA", "ASIA", "ABIA", "ACCA"] },
    do: /A(?:KIA|SIA|BIA|CCA)[A-Z0-9]{16}(?![A-Za-z0-9])/,
    check: (key) => /[0-9]/.test(key) || key.startsWith("AKIA"),
  },
  {
    id: "google-key",
    when: { token: ["AIza", "GOCSPX-", "ya29.", "1//0"] },
    do: /(?:AIza[A-Za-z0-9_-]{30,64}|GOCSPX-[A-Za-z0-9_-]{20,64}|ya29\.[A-Za-z0-9._-]{20,2048}|1\/\/0[A-Za-z0-9_-]{30,256})/,
  },
  {
    id: "azure-key",
    when: { text: ["=", "~"] },
    do: findAzureSecret,
  },
  {
    id: "cloud-key",
    when: {
      token: [
        "dop_v1_",
        "doo_v1_",
        "dor_v1_",
        "HRKU-",
        "sbp_",
        "pscale_tkn_",
        "pscale_pw_",
        "hvs.",
        "hvb.",
        "tfp_",
      ],
    },
    do: /(?:do[opr]_v1_|HRKU-|sbp_|pscale_(?:tkn|pw)_|hv[sb]\.|tfp_)[A-Za-z0-9_.-]{16,512}/,
    check: (key) => madeByMachine(key, 20) && !isWordChain(key),
  },
];

const AZURE_FIELD =
  /(?<=(?:AccountKey|SharedAccessKey|SharedAccessSignature|[?&;]sig))=(?<secret>[A-Za-z0-9+/%=]{16,512})/dy;
// A client secret: 3 characters, a digit, "Q~", 31 to 34 characters.
const AZURE_CLIENT = /(?<=[A-Za-z0-9_~.-]{3}\dQ)~[A-Za-z0-9_~.-]{31,34}(?![A-Za-z0-9_~.-])/y;

function findAzureSecret(text: string, at: number) {
  const before = text.charAt(at - 1);
  if (text.charCodeAt(at) === 61) {
    if (before !== "y" && before !== "e" && before !== "g") return undefined;
    AZURE_FIELD.lastIndex = at;
    const span = AZURE_FIELD.exec(text)?.indices?.groups?.["secret"];
    return span && { start: span[0], end: span[1] };
  }
  if (before !== "Q") return undefined;
  AZURE_CLIENT.lastIndex = at;
  const match = AZURE_CLIENT.exec(text);
  return match === null ? undefined : { start: at - 5, end: at + match[0].length };
}
