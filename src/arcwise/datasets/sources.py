"""The bundled data sets: where each comes from, and which of its columns are continuous and which discrete.

The kinds follow Table V-10 of Fu (2005), which studied these data; `notes` says where a count differs from that table.
"""

from __future__ import annotations

from dataclasses import dataclass

_UCI = "UCI Machine Learning Repository"
_CC_BY = "CC BY 4.0"
_HEART_DISCRETE = ("sex", "cp", "fbs", "restecg", "exang", "slope", "thal", "class")
_HEART_CITATION = (
    "Janosi, A., Steinbrunn, W., Pfisterer, M. and Detrano, R. (1989). Heart Disease. UCI Machine Learning Repository. "
    "doi:10.24432/C52P4X"
)


@dataclass(frozen=True, slots=True)
class DatasetInfo:
    """What is known about a bundled data set; `discrete` names its discrete columns, all others are continuous.

    Discrete columns of numbers are in the order of these.
    """

    name: str
    rows: int
    columns: int
    discrete: tuple[str, ...]
    source: str
    licence: str
    citation: str
    notes: str


# fmt: off
INFOS: tuple[DatasetInfo, ...] = (
    DatasetInfo(
        "abalone", 4177, 9, ("sex",), f"{_UCI}, Abalone", _CC_BY,
        "Nash, W., Sellers, T., Talbot, S., Cawthorn, A. and Ford, W. (1994). Abalone. UCI Machine Learning "
        "Repository. doi:10.24432/C55C7W",
        "Header added. Fu (2005) lists 4175 rows; the repository's file has 4177.",
    ),
    DatasetInfo(
        "australian", 690, 15, ("A1", "A4", "A5", "A6", "A8", "A9", "A11", "A12", "class"),
        f"{_UCI}, Statlog (Australian Credit Approval)", _CC_BY,
        "Quinlan, R. (1987). Statlog (Australian Credit Approval). UCI Machine Learning Repository. "
        "doi:10.24432/C59012",
        "Header added; attribute names and codes were made meaningless by the donor, who also filled in the missing "
        "values. The decimal points of A2, A3 and A7, lost in the copy at hand, were restored from the repository's "
        "Credit Approval data.",
    ),
    DatasetInfo(
        "breast", 683, 10, ("class",), f"{_UCI}, Breast Cancer Wisconsin (Original)", _CC_BY,
        "Wolberg, W. (1990). Breast Cancer Wisconsin (Original). UCI Machine Learning Repository. doi:10.24432/C5HP4Z",
        "Header added; the 16 rows with missing values and the identifier are left out. Fu (2005) counts 10 "
        "continuous columns, one more than the nine measurements here, but its mean cardinality (9.89) is that of "
        "these nine.",
    ),
    DatasetInfo(
        "cars1", 392, 8, ("cylinders", "origin"), f"{_UCI}, Auto MPG", _CC_BY,
        "Quinlan, R. (1993). Auto MPG. UCI Machine Learning Repository. doi:10.24432/C5859H",
        "Header added, columns reordered; the car's name and the 6 rows without horsepower are left out. Fu (2005) "
        "counts 1 discrete and 7 continuous columns, but its cardinalities (least 13, mean 125.83) are those of the "
        "six columns that are continuous here; cylinders (5 values) is the seventh.",
    ),
    DatasetInfo(
        "cleve", 297, 14, _HEART_DISCRETE, f"{_UCI}, Heart Disease (Cleveland)", _CC_BY,
        _HEART_CITATION,
        "Header added; the 6 rows with missing values are left out, and the diagnosis 0..4 became class 0/1. "
        "Fu (2005) lists 296 rows: see cleve_296, also for the kind of ca.",
    ),
    DatasetInfo(
        "cleve_296", 296, 14, _HEART_DISCRETE, f"{_UCI}, Heart Disease (Cleveland)", _CC_BY,
        _HEART_CITATION,
        "cleve without the row of age 60, trestbps 158 and chol 305, so that the rows are those of the repository's "
        "file cleve.mod. With ca (a count of vessels, 4 values) continuous the kinds are the 8 discrete and 6 "
        "continuous of Fu (2005), whose least cardinality (40) however leaves ca out and whose mean cardinality "
        "(74.80) is that of the 297 rows.",
    ),
    DatasetInfo(
        "heart", 270, 14, (*_HEART_DISCRETE, "ca"), f"{_UCI}, Statlog (Heart)", _CC_BY,
        "Statlog (Heart). UCI Machine Learning Repository. doi:10.24432/C57303",
        "Header added; class 1 is absence, 2 presence of heart disease. The decimal points of oldpeak, lost in the "
        "copy at hand, were restored from the matching rows of cleve. Here ca is discrete, as in the counts of "
        "Fu (2005).",
    ),
    DatasetInfo(
        "housing", 506, 14, ("CHAS",), "StatLib, Boston house prices", "no explicit licence known",
        "Harrison, D. and Rubinfeld, D. L. (1978). Hedonic housing prices and the demand for clean air. Journal of "
        "Environmental Economics and Management 5, 81-102",
        "Header added. Column B is a transformation of the share of Black residents and is ethically disputed; it "
        "is kept only to repeat published results.",
    ),
    DatasetInfo(
        "pima", 768, 9, ("class",),
        "National Institute of Diabetes and Digestive and Kidney Diseases, Pima Indians diabetes",
        "no explicit licence known",
        "Smith, J. W., Everhart, J. E., Dickson, W. C., Knowler, W. C. and Johannes, R. S. (1988). Using the ADAP "
        "learning algorithm to forecast the onset of diabetes mellitus. Proceedings of the Symposium on Computer "
        "Applications and Medical Care, 261-265",
        "Header added. Zeros in glucose, pressure, triceps, insulin and mass stand for values that were not "
        "measured, and are left as they are.",
    ),
    DatasetInfo(
        "vehicle", 846, 19, ("class",), f"{_UCI}, Statlog (Vehicle Silhouettes)", _CC_BY,
        "Mowforth, P. and Shepherd, B. (1987). Statlog (Vehicle Silhouettes). UCI Machine Learning Repository. "
        "doi:10.24432/C5HG6N",
        "Header added.",
    ),
)
# fmt: on
