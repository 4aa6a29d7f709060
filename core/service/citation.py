"""What to cite, for everything that leaves the page: exports, figures, shared texts."""

PAPER = (
    "M. Ainsworth and Y. Shin. Plateau Phenomenon in Gradient Descent Training of ReLU networks: "
    "Explanation, Quantification and Avoidance. arXiv:2007.07213, 2020."
)

BIBTEX = """@article{ainsworth2020plateau,
  title   = {Plateau Phenomenon in Gradient Descent Training of {ReLU} networks:
             Explanation, Quantification and Avoidance},
  author  = {Ainsworth, Mark and Shin, Yeonjong},
  journal = {arXiv preprint arXiv:2007.07213},
  year    = {2020}
}"""
