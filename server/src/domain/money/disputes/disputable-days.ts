/** For so many days after a Pix its payer may contest it at their bank (MED). */
export const DISPUTABLE_DAYS = 80
