import { expect, test } from "vitest";
import { projectState } from "./index.ts";

/** What agents read and write every day and no rule may touch. */
const PROSE = [
  "insulin secretion",
  "tokenization",
  "bearer of BRCA1",
  "gold standard",
  "n = 120",
  "success: 80%",
  "password reset flow",
  "the secret garden",
  "Glucose-stimulated insulin secretion (GSIS): 12.4 mU/L, p = 0.03, n = 120; HR 1.2 (95% CI: 1.1-1.3).",
  "The tokenizer emits 1,200 tokens; total_tokens: 512, max_tokens=1024.",
  "success: 80% of patients; final score: 7 of 10; label: A; answer: B",
  "The gold standard is biopsy. Gold answer keys were hidden from raters.",
  "Secret sharing schemes: a dealer splits a secret s into n shares.",
  "Ask the password: is it required? Password: required. The password is invalid.",
  "def login(password: str, token: Optional[str] = None) -> bool:\n    token = tokenizer.next_token()\n    return check(password=password)",
  "const key = Object.keys(map)[0]; const token = tokens[i]; if (password === undefined) return;",
  "api_key=os.environ['OPENAI_API_KEY']  # read from the environment",
  "curl -s -H 'Accept: application/json' https://example.org/api?query=secret+garden&page_token=2",
  "https://pubmed.ncbi.nlm.nih.gov/28912345/?term=brca1 doi:10.1038/s41586-020-2649-2 PMID: 28912345",
  "sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08 commit 3ea751c087f3b9a4c9f3",
  "MKTAYIAKQRQISFVKSHFSRQLEERLGLIEVQAPILSRVGDGTQDNLSGAEKAVQVKVKALPDAQFEVV",
  "ACGTTGCAACGTTGCA".repeat(60),
  "CC(=O)OC1=CC=CC=C1C(=O)O InChI=1S/C9H8O4/c1-6(10)13-8-5-3-2-4-7(8)9(11)12/h2-5H,1H3,(H,11,12)",
  "rs429358 and rs7412 define APOE-e4; NM_000546.6:c.215C>G; ENSG00000141510; UniProt P04637",
  "risk-adjusted-mortality-rate-2024 and task-oriented-dialogue-systems in scikit-learn-extra",
  "3f2504e0-4f89-11d3-9a0c-0305e82c3301 is a UUID; 550e8400-e29b-41d4-a716-446655440000 too",
  "call (212) 555-0123 or write to ann@example.org from 192.168.0.1 at 12:30:45 on 2024-05-03",
  "std::vector<int> a = {1, 2}; a::b::c; x == y; z := 3; f => g",
  "| col | val |\n| --- | --- |\n| a | 1 |\n\n---\n=====\n- item\n-- dash -- dash",
  "-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----",
  "Basic understanding of the Bearer bonds; Authorization: approved by the ethics committee",
  "Observation: {'title': 'Token economy', 'year': 2019}\nAction: search[secretory pathway]",
  '{not json} [1, 2 "quoted" text',
  '"He said: no."',
  "😀 Straße naïve 東京 \u2028 end",
  "data: the full set; see data: below; metadata:image",
  "(Smith, 2020)",
  "[Smith et al., 2020; Jones, 2021]",
  "{'title': 'Token economy', 'year': 2019, 'reference': None}",
  "plt.plot(x, y, label='control', timestamp=t)",
  "Answer(text='x', score=0.5)",
  "<p class='note'>success</p>",
  "'gold standard' is a term of 'metrology'",
  "x = {'gold_standard': 'biopsy'}\nprint(x)",
  "key: value\npin: GPIO17\nauth: required\ncookie: chocolate chip",
];

test.each(PROSE)("%s", (text) => {
  const { state, report } = projectState({ blocks: [{ kind: "evidence", name: text.slice(0, 20), text }] });
  expect(state).toEqual({ blocks: [{ kind: "evidence", name: text.slice(0, 20), text }] });
  expect(report.hits).toEqual({});
  const asField = { notes: [{ excerpt: text }], json: JSON.stringify({ excerpt: text }) };
  expect(projectState(asField).state).toEqual(asField);
});
